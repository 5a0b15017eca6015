package dev.tenure.http;

/// Something that answers requests, and says which.
@FunctionalInterface
public interface RouteSource {
    /// Adds its routes. Called once, before the server opens.
    ///
    /// @param routes takes them
    void routes(Routes routes);
}

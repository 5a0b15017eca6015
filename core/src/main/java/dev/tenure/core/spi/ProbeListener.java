package dev.tenure.core.spi;

/// What a test kit sees of the core: every named point, and the beginning and end of everything that is owned.
///
/// **Owner:** found once through `ServiceLoader` when the core is initialised; exported to the test kit alone.
/// **Threads:** any; called inline, so an implementation is short. What it throws is thrown at the point: that is how a
/// fault is injected. **Source:** design 3, ownership 5.1.
public interface ProbeListener {
    /// A named point was reached.
    ///
    /// @param point `kind/resource:before` or `kind/resource:after`, or a name that the caller chose
    void at(String point);

    /// Something that must end has begun.
    ///
    /// @param kind `scope`, `task`, `supervisor` or `owned`
    /// @param name its static label
    /// @param identity the object itself, for identity comparison only
    default void opened(String kind, String name, Object identity) {}

    /// Something that was announced by [#opened] has ended.
    ///
    /// @param kind as announced
    /// @param name as announced
    /// @param identity as announced
    default void ended(String kind, String name, Object identity) {}
}

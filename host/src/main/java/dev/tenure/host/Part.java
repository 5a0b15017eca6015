package dev.tenure.host;

/// A component that is not open yet: what builders are. Building opens nothing.
///
/// **Owner:** whoever builds, until [Host#own]; it may be opened more than once, each time for another
/// component. **Threads:** one. **Fails:** with [ConfigurationError] before anything is opened.
/// **Source:** design 4.
///
/// @param <T> the component
@FunctionalInterface
public interface Part<T extends Component> {
    /// Opens the component. If it throws, it has left nothing open.
    ///
    /// @param host will own the component; gives the clock, timers, threads and observer to use
    /// @return the open component
    /// @throws Exception rolls the host back: see [Host#own]
    T open(Host host) throws Exception;
}

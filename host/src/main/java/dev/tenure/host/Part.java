package dev.tenure.host;

/// A component that is not open yet: what builders are. Building opens nothing.
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

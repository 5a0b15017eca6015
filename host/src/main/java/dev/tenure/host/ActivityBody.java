package dev.tenure.host;

/// The code of one unit of work.
///
/// **Owner:** the activity is lent for the call. **Threads:** the caller's. **Fails:** what it throws
/// is thrown by [Host#activity], after the cleanups. **Source:** design 4.
///
/// @param <R> its result
/// @param <X> what it may throw
@FunctionalInterface
public interface ActivityBody<R, X extends Exception> {
    /// Runs inside the activity.
    ///
    /// @param activity the same as [Activity#current()]
    /// @return the result
    /// @throws X as the code says
    R run(Activity activity) throws X;
}

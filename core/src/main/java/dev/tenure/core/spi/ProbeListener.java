package dev.tenure.core.spi;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What a test kit sees of the core: every point between two steps, the beginning, move and end of
/// everything that is owned, and every wait.
///
/// **Owner:** found once through `ServiceLoader` when the core is initialised; exported to the test kit
/// alone. **Threads:** any; called inline. **Fails:** what [#at] throws is a fault injected there. At
/// `before`, `after` and `reserved` it fails the operation: an acquisition, move, fork or join throws
/// it, a release and a task record it as their failure, a close reports it. At any other side the books
/// are open: a listener may act there, and what it throws is reported by a close, told to the observer
/// by a cancel, and ignored elsewhere. **Source:** design 3, ownership 5.1.
public interface ProbeListener {
    /// A point was reached. Its name is `kind/resource:side`; the parts come apart so that nothing is
    /// concatenated when nobody asks. `Probe.point(name)` gives the name as kind, and two empty parts.
    ///
    /// @param kind the transition, such as `move`
    /// @param resource the kind of resource, or the label of the scope, task or supervisor
    /// @param side `before`, `after`, or the name of a step between them
    void at(String kind, String resource, String side);

    /// Something that must end has begun.
    ///
    /// @param kind `scope`, `task`, `supervisor`, `owned`, `queue` or `shared`
    /// @param name its static label
    /// @param identity the object itself, for identity comparison only
    /// @param owner the scope, supervisor, queue or share it is linked in, the task for its root scope,
    /// or null
    default void opened(String kind, String name, Object identity, @Nullable Object owner) {}

    /// A value moved from a handle that is dead now to one that is about to be live. Stands for an end
    /// and a beginning.
    ///
    /// @param from the handle that was announced
    /// @param to the handle that will end
    /// @param owner what `to` is linked in
    /// @param event `move`, `fork`, `offer`, `take`, `hoist`, `borrow` or `detach`; a task moves by
    /// `detach` alone
    default void moved(Object from, Object to, Object owner, String event) {}

    /// Something that was announced has ended.
    ///
    /// @param kind as announced
    /// @param name as announced
    /// @param identity as announced, or the last handle it moved to
    /// @param how `RELEASED`, `FAILED`, `PUBLISHED` or `UNKNOWN`; for owners `CLOSED`, for tasks `DONE`
    default void ended(String kind, String name, Object identity, String how) {}

    /// A close computed its report.
    ///
    /// @param identity the scope or supervisor
    /// @param report what its callers get
    default void reported(Object identity, CloseReport report) {}

    /// A thread of ours is about to wait.
    ///
    /// @param what what is waited for
    /// @param ready whether the wait is over, by its condition or by a cancel; to be asked from any
    /// thread
    /// @param deadline the end of the wait
    /// @return true if the listener waited itself, so that the caller looks again; false to park as
    /// usual
    default boolean await(String what, BooleanSupplier ready, Deadline deadline) {
        return false;
    }

    /// A thread of ours is about to be started; called by its starter. [#ending] follows, on the
    /// starter's thread if the
    /// start is refused.
    ///
    /// @param task the task; for a thread that closes or releases, the supervisor, scope or handle it
    /// is at
    default void starting(Object task) {}

    /// A thread of ours has begun; called by itself.
    ///
    /// @param task as announced
    default void began(Object task) {}

    /// A thread of ours is about to end, and touches nothing of ours any more; called by itself.
    ///
    /// @param task as announced
    default void ending(Object task) {}
}

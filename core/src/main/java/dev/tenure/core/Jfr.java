package dev.tenure.core;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// The core's flight recorder events. While no recording wants them, each costs one look at a flag.
@SuppressWarnings("unused") // fields are read by the recorder
final class Jfr {
    private static final Acquired ACQUIRED = new Acquired();
    private static final Moved MOVED = new Moved();
    private static final Released RELEASED = new Released();
    private static final Cancelling CANCELLING = new Cancelling();
    private static final Closed CLOSED = new Closed();
    private static final Overdue OVERDUE = new Overdue();

    private Jfr() {}

    /// Names common to all.
    @Category("Tenure")
    @StackTrace(false)
    private abstract static class Owning extends Event {
        @Label("Resource or owner")
        String what = "";

        @Label("Owner")
        String owner = "";
    }

    @Name("dev.tenure.Acquire")
    @Label("Acquire")
    @Description("A value was registered with its owner")
    private static final class Acquired extends Owning {}

    @Name("dev.tenure.Move")
    @Label("Move")
    @Description("A value or task was moved to another owner")
    private static final class Moved extends Owning {
        @Label("Transfer event")
        String event = "";
    }

    @Name("dev.tenure.Release")
    @Label("Release")
    @Description("A value was released")
    private static final class Released extends Owning {
        @Label("Failure")
        String failure = "";
    }

    @Name("dev.tenure.Cancel")
    @Label("Cancel")
    @Description("A scope was cancelled")
    private static final class Cancelling extends Owning {
        @Label("Reason")
        String reason = "";
    }

    @Name("dev.tenure.Close")
    @Label("Close")
    @Description("A scope or supervisor closed")
    private static final class Closed extends Owning {
        @Label("Status")
        String status = "";

        @Label("Values released")
        int released;

        @Label("Failures")
        int failures;
    }

    @Name("dev.tenure.Overdue")
    @Label("Overdue close")
    @Description("A close ended its wait before everything had ended")
    private static final class Overdue extends Owning {
        @Label("Pending")
        String pending = "";
    }

    static void acquired(Owned<?> node) {
        if (ACQUIRED.isEnabled()) {
            commit(new Acquired(), node);
        }
    }

    static void moved(Owned<?> taker, String event) {
        if (MOVED.isEnabled()) {
            var moved = new Moved();
            moved.event = event;
            commit(moved, taker);
        }
    }

    static void detached(Task<?> task, Supervisor to, String event) {
        if (MOVED.isEnabled()) {
            var moved = new Moved();
            moved.event = event;
            commit(moved, "task " + task.name(), to.name());
        }
    }

    static void released(Owned<?> node, @Nullable Throwable failure) {
        if (RELEASED.isEnabled()) {
            var released = new Released();
            released.failure = failure == null ? "" : failure.toString();
            commit(released, node);
        }
    }

    static void cancelled(String scope, Reason reason) {
        if (CANCELLING.isEnabled()) {
            var cancelled = new Cancelling();
            cancelled.reason = reason.toString();
            commit(cancelled, scope, "");
        }
    }

    static void closed(CloseReport report) {
        if (CLOSED.isEnabled()) {
            var closed = new Closed();
            closed.status = report.status().name();
            closed.released = report.released();
            closed.failures = report.failures().size();
            commit(closed, report.owner(), "");
        }
    }

    /// Whether a report is wanted although nobody else needs one.
    static boolean wantsCloses() {
        return CLOSED.isEnabled();
    }

    static void overdue(CloseReport report) {
        if (OVERDUE.isEnabled()) {
            var overdue = new Overdue();
            overdue.pending = String.join(
                    ", ", report.pending().stream().map(Holder::what).toList());
            commit(overdue, report.owner(), "");
        }
    }

    private static void commit(Owning event, Owned<?> node) {
        commit(event, node.type().name(), node.owner.face().toString());
    }

    private static void commit(Owning event, String what, String owner) {
        event.what = what;
        event.owner = owner;
        event.commit();
    }
}

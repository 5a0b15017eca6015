package dev.tenure.http;

import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Reason;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.http.internal.exchange.Action.Cause;
import dev.tenure.http.internal.exchange.Action.End;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.flow.ExchangePort;
import dev.tenure.http.internal.flow.ExchangeStarter;
import dev.tenure.http.internal.wire.RequestHead;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Starts the tasks of exchanges, and knows which still run.
///
/// **Owner:** the server. **Ends:** when sealed and empty. **Threads:** any.
final class Handlers implements ExchangeStarter {
    private static final Duration SLICE = Duration.ofMillis(20);

    private final Serving serving;
    private final ExchangeCounts counts;
    private final Supervisor tasks;

    Handlers(Serving serving, ExchangeCounts counts, Supervisor tasks) {
        this.serving = serving;
        this.counts = counts;
        this.tasks = tasks;
    }

    @Override
    public Consumer<Cause> start(ExchangePort port, RequestHead head, Plan.Task plan) {
        var exchange = new ServedExchange(serving, port, head, plan);
        counts.admitted();
        try {
            var run = new HandlerRun(exchange);
            Task<HandlerRun.Done> task = tasks.fork(exchange.route(), exchange.deadline(), run);
            return cause -> {
                task.cancel(reason(cause));
                run.endUnlessBegun();
            };
        } catch (RuntimeException | Error refused) {
            counts.notStarted();
            throw refused;
        }
    }

    private static Reason reason(Cause cause) {
        return switch (cause) {
            case PEER_GONE -> Reason.of(Reason.Kind.PEER_GONE, "the client, which went");
            case PEER_FAULT -> Reason.of(Reason.Kind.PEER_GONE, "the client, whose body is malformed");
            case EXCHANGE_DEADLINE -> Reason.of(Reason.Kind.DEADLINE, "the exchange's deadline");
            case BODY_IDLE -> Reason.of(Reason.Kind.DEADLINE, "the client, whose body does not come");
            case WRITE_IDLE -> Reason.of(Reason.Kind.DEADLINE, "the client, which takes nothing");
            case STOP -> Reason.of(Reason.Kind.STOP, "the stop, whose time for work is spent");
            case DRAINED -> Reason.of(Reason.Kind.STOP, "the stop, which ends event streams");
        };
    }

    @Override
    public void retired(End end) {
        counts.retired(end);
    }

    @Override
    public void refused(int status, String why) {
        counts.refused();
    }

    @Override
    public void failed(String what, Throwable failure) {
        serving.failed(serving.name() + " " + what, failure);
    }

    /// Waits until no task is left, once nothing new can come. The deadline may move earlier meanwhile.
    boolean awaitNone(Supplier<Deadline> deadline) {
        tasks.seal();
        while (!deadline.get().passed()) {
            Deadline slice = Deadline.in(SLICE, serving.time());
            if (tasks.awaitTasks(deadline.get().min(slice))) {
                return true;
            }
        }
        return tasks.liveTasks() == 0;
    }

    /// Those that run, each with the route and the handler's own method.
    List<Holder> holders() {
        return tasks.holders().stream()
                .map(holder -> new Holder(
                        holder.what(), site(holder.stack()), holder.age(), holder.cancelledAgo(), holder.stack()))
                .toList();
    }

    /// The method that [HandlerRun] called.
    private static String site(List<StackTraceElement> stack) {
        for (int i = 1; i < stack.size(); i++) {
            boolean ours = stack.get(i).getClassName().startsWith(HandlerRun.class.getName());
            if (ours) {
                var called = stack.get(i - 1);
                String type = called.getClassName();
                return type.substring(type.lastIndexOf('.') + 1).replace('$', '.') + "." + called.getMethodName();
            }
        }
        return "handler";
    }
}

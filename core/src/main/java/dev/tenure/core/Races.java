package dev.tenure.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/// Runs bodies in tasks and leaves none of them behind: who is no longer wanted is cancelled and joined.
final class Races {
    private Races() {}

    static <T> T call(Scope scope, String name, Deadline limit, Callable<? extends T> body) throws ExecutionException {
        Task<T> task = scope.forkAlone(name, limit, body);
        Outcome<T> end;
        try {
            end = task.join(limit);
        } catch (Cancelled cancelled) {
            task.cancel(cancelled.reason());
            end = task.joinPatiently();
        }
        if (end instanceof Outcome.Pending) {
            task.cancel(Reason.of(Reason.Kind.DEADLINE, "limit of " + name));
            end = task.joinPatiently();
        }
        return switch (end) {
            case Outcome.Success<T> success -> success.value();
            case Outcome.Failed<T> failed -> throw new ExecutionException("task '" + name + "'", failed.primary());
            case Outcome.CancelledOut<T> out -> throw new Cancelled(out.reason());
            case Outcome.Pending<T> _ ->
                throw new IllegalStateException("task '" + name + "': a join without deadline");
        };
    }

    static <T> Scope.Race<T> race(Scope scope, String name, List<? extends Callable<? extends T>> bodies)
            throws ExecutionException {
        if (bodies.isEmpty()) {
            throw new IllegalArgumentException("race '%s': bodies: 0 (expected: >= 1)".formatted(name));
        }
        var tasks = new ArrayList<Task<T>>(bodies.size());
        try {
            for (var body : bodies) {
                tasks.add(scope.forkAlone(name, Deadline.none(), body));
            }
            scope.strand()
                    .await(
                            scope.extras().waiters,
                            () -> tasks.stream().anyMatch(Races::hasWon)
                                    || tasks.stream().allMatch(Task::isDone),
                            scope,
                            Deadline.none());
        } catch (Cancelled _) {
            // what the tasks came to says it all
        } catch (RuntimeException | Error first) {
            giveUp(name, tasks, first);
            throw first;
        }
        endAll(name, tasks);
        return result(name, tasks);
    }

    /// The first failure stays the first, whatever comes of ending the others.
    private static void giveUp(String name, List<? extends Task<?>> tasks, Throwable first) {
        try {
            endAll(name, tasks);
        } catch (RuntimeException | Error later) {
            suppress(first, later);
        }
        for (Task<?> task : tasks) {
            task.failure().ifPresent(later -> suppress(first, later));
        }
    }

    @SuppressWarnings("ReferenceEquality") // a failure cannot suppress itself
    private static void suppress(Throwable first, Throwable later) {
        if (first != later) {
            first.addSuppressed(later);
        }
    }

    private static boolean hasWon(Task<?> task) {
        return task.outcome() instanceof Outcome.Success;
    }

    private static void endAll(String name, List<? extends Task<?>> tasks) {
        var over = Reason.of(Reason.Kind.CLOSE, "end of race " + name);
        tasks.forEach(task -> task.cancel(over));
        tasks.forEach(Task::awaitEnd); // all of them, before a look at one can fail
        tasks.forEach(Task::joinPatiently);
    }

    /// The first success is the one that nobody cancelled; if a cancel came before any, what is there
    /// counts.
    private static <T> Scope.Race<T> result(String name, List<Task<T>> tasks) throws ExecutionException {
        var onTime = new ArrayList<T>(1);
        var late = new ArrayList<T>(0);
        for (Task<T> task : tasks) {
            if (task.outcome() instanceof Outcome.Success<T> success) {
                (success.cancelledLate() ? late : onTime).add(success.value());
            }
        }
        onTime.addAll(late);
        if (!onTime.isEmpty()) {
            return new Scope.Race<>(onTime.removeFirst(), onTime);
        }
        throw allFailed(name, tasks);
    }

    /// Failures outrank cancels; if nothing failed, everybody was cancelled, and so is the caller.
    private static <T> ExecutionException allFailed(String name, List<Task<T>> tasks) {
        Throwable first = null;
        for (Task<T> task : tasks) {
            if (task.outcome() instanceof Outcome.Failed<T> failed) {
                Throwable failure = failed.primary();
                if (first == null) {
                    first = failure;
                } else {
                    suppress(first, failure);
                }
            }
        }
        if (first == null && tasks.getFirst().outcome() instanceof Outcome.CancelledOut<T> out) {
            throw new Cancelled(out.reason());
        }
        return new ExecutionException("race '%s': all %d failed".formatted(name, tasks.size()), first);
    }
}

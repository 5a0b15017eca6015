package dev.tenure.it.mutants;

import dev.tenure.core.AdmissionClosed;
import dev.tenure.core.Cancelled;
import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.HandoffQueue;
import dev.tenure.core.Outcome;
import dev.tenure.core.Owned;
import dev.tenure.core.Permits;
import dev.tenure.core.Probe;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Shared;
import dev.tenure.core.StaleHandle;
import dev.tenure.core.Supervisor;
import dev.tenure.testkit.FakeSocket;
import dev.tenure.testkit.Fault;
import dev.tenure.testkit.Scenario;
import dev.tenure.testkit.Sweep;
import dev.tenure.testkit.Violation;
import dev.tenure.testkit.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/// What the mutants are swept with. All of it is clean on the right core.
public final class MutantScenarios implements Function<String, String> {
    private static final ResourceType<FakeSocket> SOCKET = ResourceType.of("socket", FakeSocket::close);
    private static final ResourceType<FakeSocket> HOOKED = SOCKET.onCancel(FakeSocket::written);

    /// How a scenario is swept.
    private record Case(Scenario scenario, int preemptions, boolean thrown) {
        Sweep sweep(String name) {
            var sweep = Sweep.of(name, scenario).budget(Duration.ofSeconds(20));
            if (!thrown) {
                sweep.faults(Fault.CANCEL, Fault.CANCEL_OUTER, Fault.CLOSE, Fault.DEADLINE);
            }
            return preemptions < 0 ? sweep : sweep.exhaustive(preemptions);
        }
    }

    /// Made by a loader.
    public MutantScenarios() {}

    private static Map<String, Case> all() {
        var all = new TreeMap<String, Case>();
        all.put("owning", new Case(MutantScenarios::owning, -1, true));
        all.put("joining", new Case(MutantScenarios::joining, -1, true));
        all.put("failing", new Case(MutantScenarios::failing, -1, true));
        all.put("hoisting", new Case(world -> inTask(() -> hoisting(world)), -1, false));
        all.put("moving", new Case(MutantScenarios::moving, 1, true));
        all.put("moving in", new Case(MutantScenarios::movingIn, 2, true));
        all.put("closing twice", new Case(MutantScenarios::closingTwice, 1, true));
        all.put("supervising", new Case(MutantScenarios::supervising, -1, true));
        all.put("staging", new Case(MutantScenarios::staging, -1, true));
        all.put("permits", new Case(MutantScenarios::permits, -1, true));
        all.put("queue", new Case(MutantScenarios::queue, 1, true));
        all.put("sharing", new Case(MutantScenarios::sharing, 2, false));
        all.put("cancelling", new Case(world -> inTask(() -> cancelling(world)), -1, false));
        all.put("masking", new Case(world -> inTask(() -> masking(world)), -1, false));
        all.put("deadline", new Case(world -> inTask(() -> deadline(world)), -1, false));
        all.put("budgets", new Case(MutantScenarios::budgets, -1, false));
        all.put("overdue", new Case(MutantScenarios::overdue, -1, false));
        all.put("waiting", new Case(MutantScenarios::waiting, -1, false));
        all.put("nagging", new Case(MutantScenarios::nagging, -1, false));
        all.put("giving", new Case(MutantScenarios::giving, -1, true));
        all.put("passing on", new Case(world -> inTask(() -> passingOn(world)), -1, false));
        return all;
    }

    static Set<String> names() {
        return all().keySet();
    }

    @Override
    public String apply(String name) {
        Case one = all().get(name);
        if (one == null) {
            throw new IllegalArgumentException("scenario: " + name + " (expected: one of " + all().keySet() + ")");
        }
        var text = new StringBuilder();
        var report = one.sweep(name).run();
        for (var failure : report.failures()) {
            text.append(
                    "%d %s | %s%n".formatted(failure.oracle(), failure.message().replace('\n', ' '), failure.token()));
        }
        return text.toString();
    }

    /// Three values of one scope, the second of which is closed early.
    private static void owning(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            var first = scope.acquire(HOOKED, () -> world.socket("first"));
            var second = scope.acquire(SOCKET, () -> world.socket("second"));
            scope.own(SOCKET, world.socket("third")).get().write(1);
            second.close();
            first.get().write(1);
        }
    }

    /// A task that nobody waits for but its scope.
    private static void joining(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            scope.acquire(SOCKET, () -> world.socket("used")).get().write(1);
            scope.fork(
                    "task",
                    () -> Scope.current()
                            .acquire(SOCKET, () -> world.socket("own"))
                            .get()
                            .written());
        }
    }

    /// A release that always fails, after what the task does.
    private static void failing(World world) throws Exception {
        var failing = ResourceType.<FakeSocket>of("failing", socket -> {
            socket.close();
            throw new IOException("reset by peer");
        });
        try (var scope = Scope.open("scope")) {
            var task = scope.fork("task", () -> {
                Scope.current().acquire(failing, () -> world.socket("a"));
                Probe.before("step", "of the task");
                return 1;
            });
            task.join();
        }
    }

    /// A value that a task returns, owned by nobody on its way; only cancels are injected, which must not lose it.
    private static void hoisting(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            var task = scope.fork("opener", () -> world.socket("returned"));
            if (scope.masked(task::join) instanceof Outcome.Success<FakeSocket> success) {
                scope.own(SOCKET, success.value());
            }
        }
    }

    /// One value, a mover and a releaser, each on a thread of its own.
    private static void moving(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            var given = scope.acquire(SOCKET, () -> world.socket("given"));
            var mover = scope.fork(
                    "mover",
                    () -> quietly(() -> given.moveTo(Scope.current()).get().write(1)));
            var releaser = scope.fork("releaser", () -> quietly(given::close));
            mover.join();
            releaser.join();
        }
    }

    /// A move into a scope that its own thread closes meanwhile.
    private static void movingIn(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            var given = scope.acquire(SOCKET, () -> world.socket("given"));
            var taker = new Scope[1];
            var closing = scope.fork("closing", () -> {
                try (var inner = Scope.open("inner")) {
                    inner.acquire(HOOKED, () -> world.socket("older"));
                    taker[0] = inner;
                    Probe.before("step", "with the taker open");
                    return 1;
                }
            });
            var mover = scope.fork("mover", () -> {
                Scope destination = taker[0];
                return destination == null ? 0 : quietly(() -> moved(given, destination));
            });
            closing.join();
            mover.join();
        }
    }

    private static void moved(Owned<FakeSocket> given, Scope destination) {
        Owned<FakeSocket> _ = given.moveTo(destination);
    }

    /// Two closers of one handle: each returns after its end.
    private static void closingTwice(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            var shared = scope.acquire(SOCKET, () -> world.socket("a"));
            var one = scope.fork("one", () -> closed(world, shared));
            var two = scope.fork("two", () -> closed(world, shared));
            one.join();
            two.join();
        }
    }

    private static int closed(World world, Owned<FakeSocket> shared) {
        shared.close();
        if (shared.state() == Owned.State.RELEASING) {
            world.violated(
                    new Violation(10, 10, "socket", "a close returned before its end", "wait for whoever is at it"));
        }
        return 1;
    }

    /// A value moved to a supervisor, a value of its own, and a task.
    private static void supervising(World world) throws Exception {
        var supervisor = Supervisor.open("workers", world.options());
        try (var scope = Scope.open("scope")) {
            var moved = scope.acquire(HOOKED, () -> world.socket("moved")).moveTo(supervisor);
            supervisor.own(SOCKET, world.socket("own"));
            supervisor.fork("job", () -> moved.get().written()).join();
        } finally {
            var report = supervisor.close(Deadline.none());
            if (report.status() == CloseReport.Status.OVERDUE || supervisor.live() > 0) {
                world.violated(new Violation(
                        10, 10, "supervisor", "a close without a budget did not wait", "wait for the report"));
            }
        }
    }

    /// A draft.
    private record Draft(int number) {}

    /// A draft that is published.
    private static void staging(World world) throws Exception {
        var drafts = ResourceType.<Draft>of("draft", draft -> {
            if (!world.ended(draft, "discard")) {
                world.violated(new Violation(
                        7, 8, "draft", "a draft was discarded after it was published", "let it go at publish"));
            }
        });
        try (var scope = Scope.open("scope")) {
            var staged = scope.stage(drafts, () -> {
                Probe.before("create", "draft");
                var draft = new Draft(1);
                world.opened("draft", draft);
                return draft;
            });
            staged.publish(draft -> {
                world.published(draft);
                return 1;
            });
        }
    }

    /// Two tasks and one permit, which outlives them.
    private static void permits(World world) throws Exception {
        var permits = world.part("permits", _ -> Permits.fair("permits", 1, 4));
        try (var scope = Scope.open("scope")) {
            var one = scope.fork("one", () -> held(permits));
            var two = scope.fork("two", () -> held(permits));
            one.join();
            two.join();
        } finally {
            if (permits.available() != 1) {
                world.violated(new Violation(
                        12, 2, "permit", "of 1 permit %d are left".formatted(permits.available()), "give it back"));
            }
        }
    }

    private static int held(Permits permits) {
        try (var permit = permits.acquire(Scope.current(), Deadline.none())) {
            Probe.before("step", "with the permit");
            return permit.get().hashCode();
        }
    }

    /// Two values in transit, one of which is taken.
    private static void queue(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            HandoffQueue<FakeSocket> queue = scope.own(HandoffQueue.open("queue", 2));
            var taker =
                    scope.fork("taker", () -> queue.take(Scope.current()).get().written());
            offered(queue, scope.acquire(SOCKET, () -> world.socket("a")));
            offered(queue, scope.acquire(SOCKET, () -> world.socket("b")));
            taker.join();
        }
    }

    private static void offered(HandoffQueue<FakeSocket> queue, Owned<FakeSocket> socket) {
        boolean _ = queue.offer(socket);
    }

    /// A close while somebody borrows.
    private static void sharing(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            Shared<FakeSocket> shared = scope.own(Shared.of(SOCKET, world.socket("a")));
            var user = scope.fork(
                    "user",
                    () -> quietly(() -> {
                        try (var borrowed = shared.borrow(Scope.current())) {
                            borrowed.get().write(1);
                        }
                    }));
            shared.close();
            user.join();
        }
    }

    /// A masked join of a task that only a cancel ends soon.
    private static void cancelling(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            Probe.before("step", "before the fork");
            boolean before = scope.cancelled().isPresent();
            var task = scope.fork("task", () -> {
                if (before) {
                    world.violated(new Violation(
                            11, 3, "task", "it ran in a scope that was cancelled", "look after publishing"));
                }
                Probe.before("step", "in the task");
                world.pause(Duration.ofHours(1));
                if (scope.cancelled().isPresent() && Scope.current().cancelled().isEmpty()) {
                    world.violated(new Violation(
                            11, 3, "task", "the cancel of its scope did not reach it", "cancel runs down"));
                }
                return 1;
            });
            scope.masked(task::join);
        }
    }

    /// A cancel before, in and after a mask: seen, but not in there.
    private static void masking(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            var task = scope.fork("task", () -> {
                Scope mine = Scope.current();
                try (var socket = mine.acquire(SOCKET, () -> world.socket("a"))) {
                    socket.get().write(1);
                }
                boolean before = mine.masked(() -> {
                    Probe.before("step", "in the mask");
                    return mine.cancelled().isPresent();
                });
                world.pause(Duration.ofHours(1));
                if (before) {
                    world.violated(new Violation(
                            11, 3, "pause", "a cancel from before was not delivered", "keep it for the mask's end"));
                }
                return 1;
            });
            scope.masked(task::join);
        }
    }

    /// A deadline around a scope that has none of its own.
    private static void deadline(World world) throws Exception {
        long began = world.clock().nanos();
        var limit = world.clock().deadline(Duration.ofSeconds(10));
        try (var outer = Scope.open("outer", limit)) {
            outer.checkpoint();
            try (var inner = Scope.open("inner")) {
                if (inner.deadline().isNone()) {
                    world.violated(new Violation(
                            11, 7, "scope", "it has not the deadline of the scope around it", "inherit by min"));
                }
                var task = inner.fork("task", () -> {
                    world.pause(Duration.ofHours(1));
                    return 1;
                });
                inner.masked(task::join);
            }
        } catch (Cancelled _) {
            Probe.before("step", "after the deadline");
        } finally {
            if (world.clock().nanos() - began > Duration.ofMinutes(1).toNanos()) {
                world.violated(new Violation(11, 7, "scope", "it outlived its deadline", "arm its timer"));
            }
        }
    }

    /// Deadlines that are met: a scope's, and one of a close.
    private static void budgets(World world) throws Exception {
        try (var _ = Scope.open("limited", world.clock().deadline(Duration.ofHours(1)))) {
            try (var closed = Scope.open("closed")) {
                closed.acquire(SOCKET, () -> world.socket("a"));
                closed.close(world.clock().deadline(Duration.ofHours(2)));
            }
        }
    }

    /// A release that takes longer than the budget of its close.
    private static void overdue(World world) throws Exception {
        var slow = ResourceType.<FakeSocket>of("slow", socket -> {
            world.pause(Duration.ofHours(1));
            socket.close();
        });
        try (var scope = Scope.open("slow to close")) {
            scope.acquire(slow, () -> world.socket("a"));
            scope.close(world.clock().deadline(Duration.ofMinutes(1)));
        }
    }

    /// A wait for a task that takes longer.
    private static void waiting(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            var task = scope.fork("task", () -> {
                world.pause(Duration.ofHours(1));
                return 1;
            });
            var seen = task.join(world.clock().deadline(Duration.ofMinutes(1)));
            if (seen instanceof Outcome.Success<Integer>) {
                world.violated(new Violation(11, 7, "task", "it ended before its time", "wait on the world's clock"));
            }
        }
    }

    /// Tasks that are reminded of a cancel until they end.
    private static void nagging(World world) {
        try (var supervisor = Supervisor.open("workers", world.options().nagging(Duration.ofHours(2)))) {
            supervisor.fork("job", () -> {
                world.pause(Duration.ofMinutes(1));
                return 1;
            });
        }
    }

    /// A value given to a task, which looks for its hook.
    private static void giving(World world) throws Exception {
        var unblocked = new AtomicBoolean();
        var hooked = SOCKET.onCancel(_ -> unblocked.set(true));
        try (var scope = Scope.open("scope")) {
            var socket = scope.acquire(hooked, () -> world.socket("given"));
            var task = scope.fork("task", socket, given -> {
                Probe.before("step", "of the task");
                if (Scope.current().cancelled().isPresent() && given.state() == Owned.State.HELD && !unblocked.get()) {
                    world.violated(new Violation(
                            11, 3, "socket", "its hook was not run at a cancel", "register it with the taker"));
                }
                return 1;
            });
            task.join();
        }
    }

    /// A handle that a task returns, which is for who joins it.
    private static void passingOn(World world) throws Exception {
        try (var scope = Scope.open("scope")) {
            var task = scope.fork("opener", () -> Scope.current().acquire(SOCKET, () -> world.socket("returned")));
            if (scope.masked(task::join) instanceof Outcome.Success<Owned<FakeSocket>> success
                    && success.value().state() != Owned.State.HELD) {
                world.violated(new Violation(
                        4, 6, "socket", "a success holds a handle that has ended", "hoist it before the close"));
            }
        }
    }

    /// On a thread of ours, where masks are in force.
    private static void inTask(Step step) {
        try (var outer = Scope.open("root")) {
            outer.fork("parent", () -> quietly(step)).join();
        }
    }

    /// A step whose refusal is as good as its success.
    private interface Step {
        void run() throws Exception;
    }

    private static int quietly(Step step) throws Exception {
        try {
            step.run();
            return 1;
        } catch (StaleHandle | AdmissionClosed _) {
            return 0;
        }
    }
}

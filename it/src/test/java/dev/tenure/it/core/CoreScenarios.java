package dev.tenure.it.core;

import dev.tenure.core.AdmissionClosed;
import dev.tenure.core.Deadline;
import dev.tenure.core.HandoffQueue;
import dev.tenure.core.Outcome;
import dev.tenure.core.Owned;
import dev.tenure.core.Permits;
import dev.tenure.core.Reason;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Shared;
import dev.tenure.core.Staged;
import dev.tenure.core.StaleHandle;
import dev.tenure.core.Supervisor;
import dev.tenure.testkit.FakeDatabase;
import dev.tenure.testkit.FakeFiles;
import dev.tenure.testkit.FakeSocket;
import dev.tenure.testkit.World;
import java.time.Duration;
import java.util.List;

/// The core's own transitions, each as a scenario that ends well whatever is injected.
final class CoreScenarios {
    static final ResourceType<FakeSocket> SOCKET = ResourceType.of("socket", FakeSocket::close);
    static final ResourceType<FakeSocket> HOOKED = SOCKET.onCancel(FakeSocket::written);

    private CoreScenarios() {}

    static void acquireAndOwn(World world) throws Exception {
        try (var scope = Scope.open("outer")) {
            var acquired = scope.acquire(HOOKED, () -> world.socket("acquired"));
            acquired.get().write(1);
            scope.own(SOCKET, world.socket("own")).get().write(1);
            scope.checkpoint();
            acquired.close();
        }
    }

    static void nestedScopes(World world) throws Exception {
        try (var outer = Scope.open("outer")) {
            var first = outer.acquire(SOCKET, () -> world.socket("first"));
            try (var inner = Scope.open("inner", world.clock().deadline(Duration.ofSeconds(5)))) {
                var second = inner.acquire(SOCKET, () -> world.socket("second"));
                second.get().write(1);
                var kept = second.moveTo(outer);
                kept.get().write(1);
            }
            first.get().write(1);
        }
    }

    static void masked(World world) throws Exception {
        try (var scope = Scope.open("outer")) {
            var task = scope.fork("masked", () -> {
                var mine = Scope.current();
                var socket = mine.acquire(SOCKET, () -> world.socket("a"));
                return mine.masked(() -> {
                    socket.get().write(1);
                    return 1;
                });
            });
            task.get();
        }
    }

    static void forkWithHandle(World world) throws Exception {
        try (var scope = Scope.open("outer")) {
            var socket = scope.acquire(SOCKET, () -> world.socket("a"));
            var task = scope.fork("child", socket, given -> {
                given.get().write(1);
                return 1;
            });
            task.get();
        }
    }

    static void hoist(World world) throws Exception {
        try (var scope = Scope.open("outer")) {
            var task = scope.fork("opener", () -> Scope.current().acquire(SOCKET, () -> world.socket("a")));
            Owned<FakeSocket> hoisted = task.get();
            hoisted.get().write(1);
        }
    }

    static void supervisor(World world) throws Exception {
        try (var supervisor = Supervisor.open("workers", world.options())) {
            try (var scope = Scope.open("request")) {
                var socket = scope.acquire(HOOKED, () -> world.socket("a"));
                Owned<FakeSocket> moved = socket.moveTo(supervisor);
                var task = supervisor.fork("job", () -> {
                    moved.get().write(1);
                    moved.close();
                    return 1;
                });
                task.join();
            }
        }
    }

    static void permits(World world) throws Exception {
        var permits = world.part("permits", _ -> Permits.fair("permits", 1, 4));
        try (var scope = Scope.open("outer")) {
            var one = scope.fork("one", () -> hold(permits));
            var two = scope.fork("two", () -> hold(permits));
            one.join();
            two.join();
        }
        if (permits.available() != 1) {
            throw new AssertionError("permits lost: %d of 1".formatted(permits.available()));
        }
    }

    private static int hold(Permits permits) {
        try (var permit = permits.acquire(Scope.current(), Deadline.none())) {
            return permit.get().hashCode();
        }
    }

    static void staged(World world) throws Exception {
        var files = world.files();
        String draft = "draft " + files.count();
        try (var scope = Scope.open("outer")) {
            var staged = scope.stage(ResourceType.of("draft", files::delete), () -> create(files, draft));
            staged.publish(name -> publish(world, name));
        } catch (Throwable failure) {
            afterwards(failure, () -> reclaim(world, draft));
            throw failure;
        }
    }

    private static int publish(World world, String name) throws Exception {
        try (var sql = begun(world, name)) {
            sql.commit();
            return 1;
        }
    }

    /// Up to the commit a failure means that nothing was published.
    private static FakeDatabase.Transaction begun(World world, String name) {
        FakeDatabase.Transaction sql = null;
        try {
            sql = world.database().begin();
            sql.refer("row of " + name, name);
            return sql;
        } catch (Throwable definite) {
            if (sql != null) {
                afterwards(definite, sql::close);
            }
            throw new Staged.NotPublished(definite);
        }
    }

    /// What is staged and not referred to is deleted, as a reclaimer does later.
    private static void reclaim(World world, String draft) throws Exception {
        if (world.files().exists(draft)
                && world.database().get("row of " + draft).isEmpty()) {
            world.files().delete(draft);
        }
    }

    private static String create(FakeFiles files, String name) throws Exception {
        var file = files.create(name);
        try {
            file.close();
            return name;
        } catch (Throwable failure) {
            afterwards(failure, () -> files.delete(name));
            throw failure;
        }
    }

    static void handoff(World world) throws Exception {
        try (var scope = Scope.open("outer")) {
            HandoffQueue<FakeSocket> queue = scope.own(HandoffQueue.open("queue", 1));
            var taker = scope.fork("taker", () -> {
                queue.take(Scope.current()).get().write(1);
                return 1;
            });
            var socket = scope.acquire(SOCKET, () -> world.socket("a"));
            boolean offered = queue.offer(socket);
            taker.join();
            if (!offered) {
                socket.close();
            }
        }
    }

    static void shared(World world) throws Exception {
        try (var scope = Scope.open("outer")) {
            Shared<FakeSocket> shared = scope.own(Shared.of(SOCKET, world.socket("a")));
            var user = scope.fork("user", () -> {
                try (var borrowed = shared.borrow(Scope.current())) {
                    borrowed.get().write(1);
                    return 1;
                }
            });
            user.join();
        }
    }

    static void race(World world) throws Exception {
        try (var scope = Scope.open("outer")) {
            Scope.Race<Integer> race = scope.race(
                    "dial",
                    List.of(
                            () -> Scope.current()
                                    .acquire(SOCKET, () -> world.socket("a"))
                                    .get()
                                    .written(),
                            () -> {
                                world.pause(Duration.ofSeconds(1));
                                return Scope.current()
                                        .acquire(SOCKET, () -> world.socket("b"))
                                        .get()
                                        .written();
                            }));
            expect(0, race.winner());
        }
    }

    static void timeout(World world) throws Exception {
        try (var scope = Scope.open("outer")) {
            int result = scope.call("slow", world.clock().deadline(Duration.ofSeconds(1)), () -> {
                var socket = Scope.current().acquire(SOCKET, () -> world.socket("a"));
                socket.get().write(1);
                return 1;
            });
            expect(1, result);
        }
    }

    private static void expect(int wanted, int found) {
        if (wanted != found) {
            throw new AssertionError("found %d (expected: %d)".formatted(found, wanted));
        }
    }

    static void detach(World world) throws Exception {
        try (var supervisor = Supervisor.open("background", world.options())) {
            try (var scope = Scope.open("request")) {
                var task = scope.fork("later", () -> {
                    var socket = Scope.current().acquire(SOCKET, () -> world.socket("a"));
                    socket.get().write(1);
                    return 1;
                });
                task.detachTo(supervisor, "answered");
            }
        }
    }

    static void strongMask(World world) throws Exception {
        var strong = SOCKET.strongMask();
        try (var scope = Scope.open("outer")) {
            scope.acquire(strong, () -> world.socket("a")).get().write(1);
        }
    }

    @SuppressWarnings("MustBeClosedChecker") // closed with a budget
    static void closeWithBudget(World world) throws Exception {
        try (var parent = Scope.open("parent", world.options())) {
            var scope = Scope.open("child");
            scope.acquire(SOCKET, () -> world.socket("a"));
            var task = scope.fork("busy", () -> {
                try (var inner = Scope.open("inner")) {
                    inner.acquire(SOCKET, () -> world.socket("b")).get().write(1);
                }
                return 1;
            });
            if (task.join(world.clock().deadline(Duration.ofSeconds(1))) instanceof Outcome.Success<?> done) {
                parent.own(SOCKET, world.socket("after " + done.cancelledLate()));
            }
            scope.close(world.clock().deadline(Duration.ofSeconds(1)));
            parent.checkpoint();
        }
    }

    /// Transfer against cancel, close and a release by another thread: each on a thread of its own.
    static void transferCancelCloseRelease(World world) throws Exception {
        try (var outer = Scope.open("outer")) {
            var given = outer.acquire(SOCKET, () -> world.socket("given"));
            var other = outer.acquire(SOCKET, () -> world.socket("other"));
            var closing = outer.fork("closing", () -> {
                try (var inner = Scope.open("inner")) {
                    return inner.name();
                }
            });
            var mover = outer.fork(
                    "mover",
                    () -> quietly(() -> given.moveTo(Scope.current()).get().write(1)));
            var releaser = outer.fork("releaser", () -> quietly(given::close));
            mover.cancel(Reason.of(Reason.Kind.REQUEST, "the scenario"));
            closing.join();
            mover.join();
            releaser.join();
            other.close();
        }
    }

    /// A move into a scope of another thread, which closes meanwhile.
    static void moveIntoClosing(World world) throws Exception {
        try (var outer = Scope.open("outer")) {
            var given = outer.acquire(SOCKET, () -> world.socket("given"));
            var taker = new Scope[1];
            var closing = outer.fork("closing", () -> {
                try (var inner = Scope.open("inner")) {
                    taker[0] = inner;
                    return inner.name();
                }
            });
            var mover = outer.fork("mover", () -> {
                Scope destination = taker[0];
                return destination == null
                        ? 0
                        : quietly(() -> given.moveTo(destination).close());
            });
            closing.join();
            mover.join();
        }
    }

    /// A step whose refusal is as good as its success.
    interface Step {
        void run() throws Exception;
    }

    private static void afterwards(Throwable failure, Step cleanup) {
        try {
            cleanup.run();
        } catch (Throwable second) {
            failure.addSuppressed(second);
        }
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

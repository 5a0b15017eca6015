package dev.tenure.it.host;

import static dev.tenure.host.Phase.DISPOSE_DEPENDENCIES;
import static dev.tenure.host.Phase.DRAIN_IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Holder;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Threads;
import dev.tenure.host.Activity;
import dev.tenure.host.Host;
import dev.tenure.host.ShutdownReport;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.testkit.Trail;
import java.io.Closeable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// What holds a stop up: what it does, whether a cancel ends it, and by which frame the report must show it.
enum HeldUp {
    SLEEP("activities", true, "") {
        @Override
        void work(Hands hands, Activity activity) throws Exception {
            Scope.current()
                    .fork("sleep", () -> {
                        hands.letGo.await();
                        return "";
                    })
                    .join();
        }
    },
    BUSY_LOOP("activities", false, "HeldUp.spin") {
        @Override
        void work(Hands hands, Activity activity) {
            spin(hands);
        }
    },
    SWALLOWED_INTERRUPT("activities", false, "HeldUp.swallow") {
        @Override
        void work(Hands hands, Activity activity) {
            swallow(hands);
        }
    },
    NATIVE_READ("activities", false, "HeldUp.read") {
        @Override
        void work(Hands hands, Activity activity) throws Exception {
            read(hands);
        }
    },
    LOCK_HELD("activities", false, "HeldUp.lock") {
        @Override
        void work(Hands hands, Activity activity) {
            lock(hands);
        }
    },
    HUNG_FINALIZER("activities", false, "HeldUp.swallow") {
        @Override
        void work(Hands hands, Activity activity) {
            Scope.current().own(ResourceType.<Hands>of("finalizer", HeldUp::swallow), hands);
        }
    },
    HUNG_GATE("activities", false, "") {
        @Override
        void work(Hands hands, Activity activity) {
            var signal = activity.background("hung gate");
            hands.ends.add(signal::run);
            hands.trail.add("gated");
        }
    },
    HUNG_EXECUTOR("subject", false, "HeldUp.shutDown") {
        @Override
        void begin(Host host, Hands hands) {
            host.own(FakePart.named("subject").on(DRAIN_IN_FLIGHT, _ -> shutDown(hands)));
        }
    },
    /// It takes its time, and needs no force.
    SLOW_CLOSE("subject", true, "") {
        @Override
        void begin(Host host, Hands hands) {
            host.own(FakePart.named("subject")
                    .on(
                            DISPOSE_DEPENDENCIES,
                            _ -> assertThat(new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS))
                                    .isFalse())
                    .onForce(_ -> {}));
        }

        @Override
        boolean holds() {
            return false;
        }
    },
    REFUSING_THREAD("no thread", true, "") {
        @Override
        void begin(Host host, Hands hands) {
            host.own(FakePart.named("no thread").on(DRAIN_IN_FLIGHT, _ -> {}).onForce(_ -> {}));
        }

        @Override
        boolean holds() {
            return false;
        }
    };

    /// What a test holds in its hands: how to let everything go, and whom to wait for.
    static final class Hands {
        final Trail trail = new Trail();
        final CountDownLatch letGo = new CountDownLatch(1);
        final List<Closeable> ends = new CopyOnWriteArrayList<>();
        private final List<Thread> threads = new CopyOnWriteArrayList<>();

        void letGo() throws Exception {
            letGo.countDown();
            for (var end : ends) {
                end.close();
            }
        }

        void join() throws InterruptedException {
            for (var thread : threads) {
                thread.join();
            }
        }
    }

    private final String component;
    private final boolean obeys;
    private final String frame;

    HeldUp(String component, boolean obeys, String frame) {
        this.component = component;
        this.obeys = obeys;
        this.frame = frame;
    }

    /// Which component of the report it is part of.
    String component() {
        return component;
    }

    /// Whether a cancel ends it.
    boolean obeys() {
        return obeys;
    }

    /// Whether it holds the stop up until it is let go.
    boolean holds() {
        return true;
    }

    /// Begins to hold up; by default with an activity.
    void begin(Host host, Hands hands) throws Exception {
        hands.threads.add(Threads.system().startPlatform("test-held-up", () -> {
            try {
                host.activity(name(), activity -> {
                    hands.trail.add("working");
                    work(hands, activity);
                    return "";
                });
            } catch (Exception cancelled) {
                hands.trail.add("ended by " + cancelled.getClass().getSimpleName());
            }
        }));
        hands.trail.await(this == NATIVE_READ ? "reading" : this == HUNG_GATE ? "gated" : "working");
    }

    void work(Hands hands, Activity activity) throws Exception {
        throw new IllegalStateException(name() + " has no activity");
    }

    /// Site, age and, where there is a thread, its stack.
    void assertNamed(ShutdownReport report) {
        var part = report.component(component).orElseThrow();
        assertThat(part.outcome()).isEqualTo(component.equals("subject") ? Outcome.TIMED_OUT : Outcome.RETAINED);
        assertThat(part.holders()).as(report.toText()).isNotEmpty().allSatisfy(holder -> {
            assertThat(holder.what()).isNotBlank();
            assertThat(holder.where()).isNotBlank();
            assertThat(holder.age()).isPositive();
        });
        var frames = part.holders().stream()
                .map(Holder::stack)
                .flatMap(List::stream)
                .map(StackTraceElement::toString)
                .toList();
        if (this == HUNG_GATE) {
            assertThat(report.toText()).contains("held by hung gate for ");
        } else {
            assertThat(frames).as(report.toText()).anyMatch(line -> line.contains(frame));
            assertThat(report.toText()).contains("still running", frame);
        }
    }

    private static void spin(Hands hands) {
        while (hands.letGo.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private static void swallow(Hands hands) {
        while (hands.letGo.getCount() > 0) {
            try {
                hands.letGo.await();
            } catch (InterruptedException _) {
                hands.trail.add("swallowed");
            }
        }
    }

    private static void read(Hands hands) throws Exception {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var mine = new Socket(listener.getInetAddress(), listener.getLocalPort());
                var theirs = listener.accept()) {
            hands.ends.add(theirs);
            hands.trail.add("reading");
            assertThat(mine.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static void lock(Hands hands) {
        var lock = new ReentrantLock();
        hands.threads.add(Threads.system().startPlatform("test-lock-holder", () -> {
            lock.lock();
            try {
                hands.trail.add("locked");
                swallow(hands);
            } finally {
                lock.unlock();
            }
        }));
        hands.trail.await("locked");
        lock.lock();
        try {
            hands.trail.add("got the lock");
        } finally {
            lock.unlock();
        }
    }

    private static void shutDown(Hands hands) {
        try (var executor = Executors.newSingleThreadExecutor()) {
            executor.execute(() -> swallow(hands));
        }
    }
}

package dev.tenure.testkit;

import dev.tenure.core.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// What happened, in order: the events that the code of a test adds, and waits for them without
/// sleeping.
///
/// **Owner:** the test. **Threads:** any. **Limits:** every wait is a watchdog of 10 s of real time,
/// unless another was given. **Fails:** with an `AssertionError` that prints the whole trail.
public final class Trail {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<String> events = new ArrayList<>();
    private final Duration watchdog;

    /// An empty trail with a watchdog of 10 s.
    public Trail() {
        this(Duration.ofSeconds(10));
    }

    /// An empty trail.
    ///
    /// @param watchdog how long a wait may take
    public Trail(Duration watchdog) {
        this.watchdog = watchdog;
    }

    /// Adds an event.
    ///
    /// @param event what happened
    public void add(String event) {
        lock.lock();
        try {
            events.add(event);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The events up to now.
    ///
    /// @return a copy, oldest first
    public List<String> events() {
        lock.lock();
        try {
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }

    /// How often an event happened up to now.
    ///
    /// @param event the event
    /// @return the number
    public int count(String event) {
        return (int) events().stream().filter(event::equals).count();
    }

    /// Waits until the event has happened, now or before.
    ///
    /// @param event the event
    public void await(String event) {
        awaitThat("the event '" + event + "'", list -> list.contains(event));
    }

    /// Waits until the event has happened so often.
    ///
    /// @param event the event
    /// @param times how often at least
    public void await(String event, int times) {
        awaitThat(
                "the event '" + event + "' " + times + " times",
                list -> list.stream().filter(event::equals).count() >= times);
    }

    /// Waits until these are the last events. Does not look at what comes later.
    ///
    /// @param tail the last events, oldest first
    public void mustEndWith(String... tail) {
        var wanted = List.of(tail);
        awaitThat("to end with " + wanted, list -> endsWith(list, wanted));
    }

    /// Waits until the events are exactly these.
    ///
    /// @param all every event, oldest first
    public void mustBe(String... all) {
        var wanted = List.of(all);
        awaitThat("to be " + wanted, wanted::equals);
    }

    private void awaitThat(String what, Predicate<List<String>> reached) {
        var limit = Deadline.in(watchdog);
        lock.lock();
        try {
            while (!reached.test(events)) {
                if (!changed.await(limit.remainingNanos(), TimeUnit.NANOSECONDS) && limit.passed()) {
                    throw new AssertionError(
                            "trail: waited %d ms for %s but it is %s".formatted(watchdog.toMillis(), what, events));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("trail: interrupted while waiting for " + what + " in " + events, e);
        } finally {
            lock.unlock();
        }
    }

    private static boolean endsWith(List<String> list, List<String> tail) {
        return list.size() >= tail.size()
                && list.subList(list.size() - tail.size(), list.size()).equals(tail);
    }

    @Override
    public String toString() {
        return events().toString();
    }
}

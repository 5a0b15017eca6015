package dev.tenure.core;

import java.util.concurrent.atomic.LongAdder;

/// Keeps what an observer throws away from the owner that called it, and counts it: a broken ear must not
/// stop a close.
record Isolated(Observer inner) implements Observer {
    private static final LongAdder FAILURES = new LongAdder();

    static Observer of(Observer observer) {
        return observer instanceof Isolated || observer instanceof Silent ? observer : new Isolated(observer);
    }

    static long count() {
        return FAILURES.sum();
    }

    private static void isolated(Runnable call) {
        try {
            call.run();
        } catch (Throwable _) {
            FAILURES.increment();
        }
    }

    @Override
    public void failed(String owner, Throwable failure) {
        isolated(() -> inner.failed(owner, failure));
    }

    @Override
    public void overdue(CloseReport report) {
        isolated(() -> inner.overdue(report));
    }

    @Override
    public void retried(String resource, Throwable first, boolean ended) {
        isolated(() -> inner.retried(resource, first, ended));
    }

    @Override
    public void detached(String task, String supervisor, String event) {
        isolated(() -> inner.detached(task, supervisor, event));
    }

    @Override
    public void leaked(Tracing.Leak leak) {
        isolated(() -> inner.leaked(leak));
    }
}

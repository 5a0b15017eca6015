package dev.tenure.core;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// One platform thread and a heap of alarms. The thread ends shortly after the last alarm did.
final class SystemTimers implements Timers {
    static final Timers INSTANCE = new SystemTimers();

    private static final long IDLE_MILLIS = 50;
    private final ScheduledThreadPoolExecutor executor;

    private SystemTimers() {
        executor = new ScheduledThreadPoolExecutor(
                1, task -> Thread.ofPlatform().daemon().name("tenure-timer").unstarted(task));
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public Alarm at(Deadline when, Runnable task) {
        if (when.isNone()) {
            return () -> false;
        }
        Future<?> armed = executor.schedule(task, when.remainingNanos(), TimeUnit.NANOSECONDS);
        return () -> armed.cancel(false);
    }

    @Override
    public int pending() {
        return executor.getQueue().size();
    }
}

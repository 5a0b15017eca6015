package dev.tenure.http.internal.flow;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Holds a producer up while the client takes less than it writes.
///
/// **Owner:** the exchange. **Ends:** by [#close]. **States:** `OPEN -> CLOSED`. **Threads:** one enters, the event
/// loop leaves. **Limits:** nobody enters while [#HIGH] bytes or more are on the way; who waited goes on at half of
/// that.
public final class OutputGate {
    /// Bytes on the way at which a producer waits.
    public static final int HIGH = 65_536;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private long underWay;
    private boolean closed;

    /// An open gate with nothing on the way.
    public OutputGate() {}

    /// Waits until there is room, and takes it.
    ///
    /// @param bytes on their way from now on
    /// @return false if the gate is closed: nothing was taken
    /// @throws InterruptedException while it waited
    public boolean enter(int bytes) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (underWay >= HIGH) {
                while (underWay > HIGH / 2 && !closed) {
                    changed.await();
                }
            }
            if (closed) {
                return false;
            }
            underWay += bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// The transport has taken bytes.
    ///
    /// @param bytes not under way any more
    public void leave(int bytes) {
        lock.lock();
        try {
            underWay = Math.max(0, underWay - bytes);
            if (underWay <= HIGH / 2) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Lets nobody in any more, and lets go who waits.
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// How much is under way.
    ///
    /// @return bytes, a snapshot
    public long underWay() {
        lock.lock();
        try {
            return underWay;
        } finally {
            lock.unlock();
        }
    }
}

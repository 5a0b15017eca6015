package dev.tenure.http.internal.flow;

import dev.tenure.http.internal.exchange.Action.BodyFault;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The bytes of one request body, between the event loop that gives them and the handler that reads them.
///
/// **Owner:** the exchange. **Ends:** by [#end] or [#fail], or with the exchange. **States:** `OPEN -> ENDED |
/// FAILED`. **Threads:** one gives, one reads. **Limits:** bounded by the giver, who stops reading from the client.
public final class BodyPipe {
    /// What a read came to.
    public sealed interface Read {
        /// Bytes.
        ///
        /// @param count at least 1
        record Bytes(int count) implements Read {}

        /// The end of the body.
        record End() implements Read {}

        /// A body that will not be complete.
        ///
        /// @param why what happened
        record Fault(BodyFault why) implements Read {}
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by lock.
    private final ArrayDeque<byte[]> pieces = new ArrayDeque<>(4);
    private int offset;
    private boolean ended;
    private @Nullable BodyFault fault;

    /// An open pipe.
    public BodyPipe() {}

    /// Gives a piece.
    ///
    /// @param piece given away
    public void give(byte[] piece) {
        lock.lock();
        try {
            pieces.add(piece);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /// The body is complete.
    public void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The body will not be complete. What was given before is dropped. The first fault stays.
    ///
    /// @param why what happened
    public void fail(BodyFault why) {
        lock.lock();
        try {
            if (fault == null) {
                fault = why;
                pieces.clear();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits for bytes, the end, or a fault.
    ///
    /// @param into takes the bytes
    /// @param from where
    /// @param length at most so many; at least 1
    /// @return what came
    /// @throws InterruptedException while it waited
    public Read read(byte[] into, int from, int length) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (pieces.isEmpty() && !ended && fault == null) {
                changed.await();
            }
            return taken(into, from, length).orElseGet(Read.End::new);
        } finally {
            lock.unlock();
        }
    }

    private Optional<Read> taken(byte[] into, int from, int length) {
        if (fault != null) {
            return Optional.of(new Read.Fault(fault));
        }
        byte[] first = pieces.peek();
        if (first == null) {
            return Optional.empty();
        }
        int count = Math.min(length, first.length - offset);
        System.arraycopy(first, offset, into, from, count);
        offset += count;
        if (offset == first.length) {
            pieces.remove();
            offset = 0;
        }
        return Optional.of(new Read.Bytes(count));
    }
}

package dev.tenure.it.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Listens to the leak detector of the transport, at its strictest level, for one test.
final class BufferLeaks implements AutoCloseable {
    private static final int COLLECTIONS = 3;
    private static final long WATCHDOG_MILLIS = 10_000;

    private final List<String> leaks = new CopyOnWriteArrayList<>();
    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();

    BufferLeaks() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + records));
    }

    /// Collects garbage until the detector has seen all of it; it reports at the next allocation.
    void assertNone() throws InterruptedException {
        for (var i = 0; i < COLLECTIONS; i++) {
            collect();
            UnpooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
        assertThat(leaks).isEmpty();
    }

    private static void collect() throws InterruptedException {
        var queue = new ReferenceQueue<Object>();
        var reference = new PhantomReference<>(new Object(), queue);
        System.gc();
        assertThat(queue.remove(WATCHDOG_MILLIS)).isSameAs(reference);
    }

    @Override
    public void close() {
        ByteBufUtil.setLeakListener(null);
        ResourceLeakDetector.setLevel(before);
    }
}

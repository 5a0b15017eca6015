package dev.tenure.http;

import dev.tenure.http.internal.exchange.Action.End;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Counts exchanges: what was admitted either completed, was cancelled, or is still in flight.
///
/// **Threads:** any.
final class ExchangeCounts {
    private final LongAdder admitted = new LongAdder();
    private final LongAdder completed = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final LongAdder cancelledLate = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final AtomicInteger inFlight = new AtomicInteger();

    void admitted() {
        admitted.increment();
        inFlight.incrementAndGet();
    }

    /// What was admitted was not started after all.
    void notStarted() {
        admitted.decrement();
        inFlight.decrementAndGet();
    }

    void retired(End end) {
        switch (end) {
            case COMPLETED -> completed.increment();
            case CANCELLED -> cancelled.increment();
            case CANCELLED_LATE -> {
                cancelled.increment();
                cancelledLate.increment();
            }
        }
        inFlight.decrementAndGet();
    }

    void refused() {
        refused.increment();
    }

    int inFlight() {
        return inFlight.get();
    }

    long completedSoFar() {
        return completed.sum();
    }

    Map<String, Long> asMap() {
        var map = new LinkedHashMap<String, Long>();
        long ended = completed.sum() + cancelled.sum();
        map.put("admitted", admitted.sum());
        map.put("completed", completed.sum());
        map.put("cancelled", cancelled.sum());
        map.put("retained", Math.max(0, admitted.sum() - ended));
        map.put("cancelled_late", cancelledLate.sum());
        map.put("refused", refused.sum());
        return map;
    }
}

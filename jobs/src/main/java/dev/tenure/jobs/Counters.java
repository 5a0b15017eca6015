package dev.tenure.jobs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// How jobs ended here since the worker was opened.
record Counters(LongAdder finished, LongAdder released, LongAdder retried, LongAdder dead, LongAdder lost) {
    Counters() {
        this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }

    Map<String, Long> with(long running) {
        var all = new LinkedHashMap<String, Long>();
        all.put("finished", finished.sum());
        all.put("released", released.sum());
        all.put("retried", retried.sum());
        all.put("dead", dead.sum());
        all.put("lost", lost.sum());
        all.put("running", running);
        return all;
    }
}

package dev.tenure.blobs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// The numbers of a store since it was opened.
final class Counts {
    final LongAdder placed = new LongAdder();
    final LongAdder settled = new LongAdder();
    final LongAdder discarded = new LongAdder();
    final LongAdder left = new LongAdder();
    final LongAdder deleted = new LongAdder();
    final LongAdder reclaimed = new LongAdder();

    Map<String, Long> asMap(Map<Uses.Kind, Long> live) {
        var map = new LinkedHashMap<String, Long>();
        map.put("placed", placed.sum());
        map.put("settled", settled.sum());
        map.put("discarded", discarded.sum());
        map.put("left_to_reclaimer", left.sum());
        map.put("deleted", deleted.sum());
        map.put("reclaimed", reclaimed.sum());
        map.put(
                "resources_left",
                live.values().stream().mapToLong(Long::longValue).sum());
        map.put("temp_files_left", live.getOrDefault(Uses.Kind.STAGED, 0L));
        return map;
    }
}

package dev.tenure.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The findings that are allowed, one a line: `rule file#member: reason`; a line that starts with `#` is a comment.
record Exceptions(Map<String, String> reasons) {

    static Exceptions parse(List<String> lines) {
        var reasons = new TreeMap<String, String>();
        for (var line : lines) {
            if (!line.isBlank() && !line.startsWith("#")) {
                var parts = line.split(": ", 2);
                reasons.put(parts[0].strip(), parts.length > 1 ? parts[1].strip() : "");
            }
        }
        return new Exceptions(reasons);
    }

    /// The findings without an exception, and the exceptions without a finding or a reason.
    List<String> remaining(List<Finding> findings) {
        var found = new ArrayList<String>();
        var stale = new TreeMap<>(reasons);
        for (var finding : findings) {
            stale.remove(finding.key());
            if (!reasons.containsKey(finding.key())) {
                found.add(finding.toString());
            }
        }
        stale.keySet().forEach(key -> found.add(key + ": stale exception, delete its line"));
        reasons.forEach((key, reason) -> {
            if (reason.isEmpty()) {
                found.add(key + ": exception without a reason");
            }
        });
        return found;
    }
}

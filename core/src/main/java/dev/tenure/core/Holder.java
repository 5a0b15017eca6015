package dev.tenure.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Who still holds something: the evidence of a report.
///
/// @param what the static label, such as `GET /drill/stuck`
/// @param where the site: the class and method, or the kind of resource
/// @param age since it began
/// @param cancelledAgo how long ago it was asked to end, if it was
/// @param stack what its thread was doing, empty if no thread is known
public record Holder(
        String what, String where, Duration age, Optional<Duration> cancelledAgo, List<StackTraceElement> stack) {
    /// Copies the stack.
    public Holder {
        stack = List.copyOf(stack);
    }
}

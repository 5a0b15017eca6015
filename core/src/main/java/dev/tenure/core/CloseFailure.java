package dev.tenure.core;

import java.util.List;

/// A close that had nothing worse to report tells that cleanups or unobserved tasks failed: the first is the cause,
/// later
/// ones are suppressed.
public final class CloseFailure extends OwnershipException {
    private static final long serialVersionUID = 1L;

    CloseFailure(String owner, List<CloseReport.Failure> failures) {
        super("%s: %d of its endings failed, first %s: %s"
                .formatted(
                        owner,
                        failures.size(),
                        failures.getFirst().what(),
                        failures.getFirst().failure()));
        initCause(failures.getFirst().failure());
        failures.stream().skip(1).map(CloseReport.Failure::failure).forEach(this::addSuppressed);
    }
}

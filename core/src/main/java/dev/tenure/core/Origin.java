package dev.tenure.core;

/// Where a task comes from: who joins it, until when, with which settings; whether its failure cancels
/// siblings, and whether it goes on with a close, which no cancel stops.
record Origin(OwnerList owner, Deadline deadline, Supervisor.Options settings, boolean kin, boolean closer) {
    Origin(OwnerList owner, Deadline deadline, Supervisor.Options settings, boolean kin) {
        this(owner, deadline, settings, kin, false);
    }
}

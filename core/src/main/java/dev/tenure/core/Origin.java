package dev.tenure.core;

/// Where a task comes from: who joins it, until when, with which settings, and whether its failure
/// cancels siblings.
record Origin(OwnerList owner, Deadline deadline, Supervisor.Options settings, boolean kin) {}

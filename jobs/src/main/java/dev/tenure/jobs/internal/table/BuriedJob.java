package dev.tenure.jobs.internal.table;

import java.time.Instant;
import java.util.Optional;

/// A dead row.
///
/// @param id its number
/// @param type the name of its kind
/// @param key its unique key
/// @param attempt how often it was tried
/// @param error the last failure
/// @param enqueuedAt when it was enqueued
public record BuriedJob(long id, String type, Optional<String> key, int attempt, String error, Instant enqueuedAt) {}

package dev.tenure.jobs.internal.table;

import java.time.Instant;
import java.util.Optional;

/// A row to insert.
///
/// @param type the name of its kind
/// @param key its unique key
/// @param payload its bytes
/// @param enqueuedAt now
/// @param runAt when it becomes due
@SuppressWarnings("ArrayRecordComponent")
public record NewJob(String type, Optional<String> key, byte[] payload, Instant enqueuedAt, Instant runAt) {}

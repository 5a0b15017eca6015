package dev.tenure.jobs.internal.table;

import java.util.Optional;

/// A row that this worker has just claimed.
///
/// @param id its number
/// @param type the name of its kind
/// @param key its unique key
/// @param payload its bytes
/// @param attempt which attempt this is, from 1
/// @param fence the token of this claim, larger than that of every earlier claim of any job
@SuppressWarnings("ArrayRecordComponent")
public record ClaimedJob(long id, String type, Optional<String> key, byte[] payload, int attempt, long fence) {}

package dev.tenure.jobs;

import java.time.Instant;
import java.util.Optional;

/// A job that used up its attempts and waits for a person.
///
/// **Owner:** the table; it stays until revived or cancelled. **Threads:** immutable.
///
/// @param id its number, never used again
/// @param type the name of its kind
/// @param uniqueKey its key, if it has one
/// @param attempts how often it was tried
/// @param error the last failure, at most 2,000 characters
/// @param enqueuedAt when it was enqueued
public record DeadJob(
        long id, String type, Optional<String> uniqueKey, int attempts, String error, Instant enqueuedAt) {}

package dev.tenure.testkit.internal.engine;

/// A law that a run broke.
///
/// @param oracle its number in O1 to O13
/// @param law the law
/// @param resource what it is about
/// @param message what happened
/// @param advice what to do
public record Broken(int oracle, int law, String resource, String message, String advice) {}

/// Runs a scenario step by step: points, controlled threads, schedules, and the book in which every
/// owner is entered.
package dev.tenure.testkit.internal.engine;

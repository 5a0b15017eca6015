/// Flyway migrations as a step of the start.
@org.jspecify.annotations.NullMarked
package dev.tenure.flyway;

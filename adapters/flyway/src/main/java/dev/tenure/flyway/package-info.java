/// Flyway migrations as a step of the start.
package dev.tenure.flyway;

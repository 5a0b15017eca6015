package dev.tenure.checks.samples.cycle.right;

import dev.tenure.checks.samples.cycle.left.Left;

public record Right(Left other) {}

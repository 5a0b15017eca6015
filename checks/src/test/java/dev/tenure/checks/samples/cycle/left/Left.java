package dev.tenure.checks.samples.cycle.left;

import dev.tenure.checks.samples.cycle.right.Right;

public record Left(Right other) {}

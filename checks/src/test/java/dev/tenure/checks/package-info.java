/// The house rules as tests over the whole tree, each with a test of its own that proves that it can fail.
@org.jspecify.annotations.NullMarked
package dev.tenure.checks;

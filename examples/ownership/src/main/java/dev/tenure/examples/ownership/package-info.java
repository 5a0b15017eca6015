/// Code that owns what it opens, and the help that finds code which does not: a rule, a stub file, a sweep.
@org.jspecify.annotations.NullMarked
package dev.tenure.examples.ownership;

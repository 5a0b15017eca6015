package dev.tenure.core;

/// Ignores everything.
enum Silent implements Observer {
    INSTANCE
}

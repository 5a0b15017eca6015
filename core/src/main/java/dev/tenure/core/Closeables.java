package dev.tenure.core;

/// The type of what is registered as a plain closeable.
final class Closeables {
    static final ResourceType<AutoCloseable> TYPE = ResourceType.of("closeable", AutoCloseable::close);

    private Closeables() {}
}

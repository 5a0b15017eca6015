package dev.tenure.core;

/// Threads of the JVM, named, platform ones as daemons.
enum SystemThreads implements Threads {
    INSTANCE;

    @Override
    public Thread startVirtual(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body);
    }

    @Override
    public Thread startPlatform(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name(name).start(body);
    }

    @Override
    public Thread unstartedPlatform(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name(name).unstarted(body);
    }
}

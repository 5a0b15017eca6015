package dev.tenure.it.host;

import dev.tenure.core.Threads;
import dev.tenure.testkit.Trail;

/// The JVM's threads; those of some calls of a host say on a trail when they are started and when they run.
record ThreadsOnTrail(Trail trail, String calls) implements Threads {
    private static final String PREFIX = "tenure-host-";

    @Override
    public Thread startVirtual(String name, Runnable body) {
        return Threads.system().startVirtual(name, body);
    }

    @Override
    public Thread startPlatform(String name, Runnable body) {
        if (!name.startsWith(PREFIX + calls)) {
            return Threads.system().startPlatform(name, body);
        }
        var call = name.substring(PREFIX.length());
        trail.add("start " + call);
        return Threads.system().startPlatform(name, () -> {
            trail.add("run " + call);
            body.run();
        });
    }

    @Override
    public Thread unstartedPlatform(String name, Runnable body) {
        return Threads.system().unstartedPlatform(name, body);
    }
}

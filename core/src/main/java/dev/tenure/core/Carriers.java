package dev.tenure.core;

import java.util.List;
import java.util.ServiceLoader;

/// Several carriers as one.
record Carriers(List<ContextCarrier> all) implements ContextCarrier {
    /// What is provided for the whole process; found once.
    static final List<ContextCarrier> PROVIDED =
            ServiceLoader.load(ContextCarrier.class, Carriers.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private static final Installed NOTHING_INSTALLED = () -> {};
    private static final Captured NOTHING = () -> NOTHING_INSTALLED;

    @Override
    public Captured capture() {
        if (all.isEmpty()) {
            return NOTHING;
        }
        var pictures = all.stream().map(ContextCarrier::capture).toList();
        return () -> install(pictures);
    }

    /// Those that were installed come out again if a later one fails.
    private static Installed install(List<Captured> pictures) {
        Installed done = NOTHING_INSTALLED;
        try {
            for (var picture : pictures) {
                Installed one = picture.install();
                Installed before = done;
                done = () -> {
                    try (before) {
                        one.close();
                    }
                };
            }
            return done;
        } catch (Throwable failure) {
            try {
                done.close();
            } catch (Throwable second) {
                failure.addSuppressed(second);
            }
            throw failure;
        }
    }
}

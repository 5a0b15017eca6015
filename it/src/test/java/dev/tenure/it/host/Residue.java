package dev.tenure.it.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What this process holds: descriptors of files below a directory, threads, and the files there.
record Residue(Set<String> descriptors, Set<String> threads, Set<String> temporary) {
    private static final Duration SOON = Duration.ofSeconds(2);

    static Residue now(Path directory) {
        return new Residue(descriptorsOf(directory), threadNames(), names(directory));
    }

    /// A thread that has returned takes a moment to be gone.
    void mustBeBack(Path directory) {
        var began = System.nanoTime();
        var present = now(directory);
        while (!isBack(present) && System.nanoTime() - began < SOON.toNanos()) {
            Thread.onSpinWait();
            present = now(directory);
        }
        assertThat(present.descriptors()).as("descriptors").isEqualTo(descriptors);
        assertThat(threads).as("threads").containsAll(present.threads());
        assertThat(temporary).as("temporary files").containsAll(present.temporary());
    }

    private boolean isBack(Residue present) {
        return present.descriptors().equals(descriptors)
                && threads.containsAll(present.threads())
                && temporary.containsAll(present.temporary());
    }

    private static Set<String> descriptorsOf(Path directory) {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.map(Residue::target)
                    .filter(target -> target.startsWith(directory.toString()))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One that is closed meanwhile, such as that of the listing, leads nowhere.
    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException _) {
            return "";
        }
    }

    private static Set<String> threadNames() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> names(Path directory) {
        try (var files = Files.list(directory)) {
            return files.map(Path::toString).collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

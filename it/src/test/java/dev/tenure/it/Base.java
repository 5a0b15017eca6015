package dev.tenure.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.testkit.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/// BASE of cases.md at one instant: threads, descriptors, and what the ledger says is live. Without `/proc` there are
/// no descriptors to count.
///
/// @param threads those that live
/// @param descriptors what is open
/// @param mark of the ledger
public record Base(Set<Thread> threads, Set<String> descriptors, long mark) {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /// What the JVM starts for itself when it likes.
    private static final String JVM = "ForkJoinPool.*|VirtualThread-unparker|.*Cleaner.*|process reaper.*|C[12] .*";

    /// What there is now.
    ///
    /// @return to be compared with later
    public static Base now() {
        return new Base(live(), open(), Ledger.ofThisJvm().mark());
    }

    private static Set<Thread> live() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().matches(JVM))
                .collect(Collectors.toSet());
    }

    /// Files and sockets, each with what it is; the listing's own descriptor is gone when it is looked at.
    private static Set<String> open() {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return Set.of();
        }
        try (var each = Files.list(DESCRIPTORS)) {
            return each.map(Base::target).filter(name -> !name.isEmpty()).collect(Collectors.toSet());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String target(Path descriptor) {
        try {
            return descriptor.getFileName() + " " + Files.readSymbolicLink(descriptor);
        } catch (IOException closed) {
            return "";
        }
    }

    /// Nothing is there that was not there before, within 2 s.
    ///
    /// @param when for the message
    public void assertBack(String when) {
        assertBackBut("", when);
    }

    /// Nothing is there that was not there before, within 2 s, but threads that end by themselves; look with
    /// [#assertBack(String)] whether they have, once, later.
    ///
    /// @param threadNames a pattern of their names
    /// @param when for the message
    public void assertBackBut(String threadNames, String when) {
        var limit = Deadline.in(LIMIT);
        while (!isBack(threadNames) && !limit.passed()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2)); // what it waits for wakes nobody
        }
        assertThat(more(threadNames)).as("threads %s", when).isEmpty();
        assertThat(open().size()).as("descriptors %s: %s", when, open()).isLessThanOrEqualTo(descriptors.size());
        assertThat(Ledger.ofThisJvm().liveSince(mark)).as("live %s", when).isEmpty();
    }

    private Set<Thread> more(String threadNames) {
        return live().stream()
                .filter(thread -> !threads.contains(thread) && !thread.getName().matches(threadNames))
                .collect(Collectors.toSet());
    }

    private boolean isBack(String threadNames) {
        return more(threadNames).isEmpty()
                && open().size() <= descriptors.size()
                && Ledger.ofThisJvm().liveSince(mark).isEmpty();
    }
}

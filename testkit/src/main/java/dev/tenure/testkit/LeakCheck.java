package dev.tenure.testkit;

import dev.tenure.core.Deadline;
import dev.tenure.core.Timers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/// Fails a test that leaves something behind: a scope, task, supervisor or owned value, a platform
/// thread named `tenure-...`, an open descriptor, an armed timer, or a file in the directories it was
/// given.
///
/// Use it by `@ExtendWith(LeakCheck.class)`, or by `@RegisterExtension` with [#watching] to add
/// directories.
///
/// **Owner:** JUnit. **Ends:** after each test, at the latest 2 s of real time after it, when
/// everything must be back. **Threads:** the test's; not for tests that run in parallel in one JVM,
/// whose leavings it could not tell apart. **Limits:** descriptors are compared through the process
/// file system and are not checked where there is none; those of class path archives and of the JVM's
/// own devices are ignored. **Source:** design 9; `cases.md`, BASE.
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(LeakCheck.class);
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private final List<Path> directories;

    /// Watches no directory.
    public LeakCheck() {
        this(List.of());
    }

    private LeakCheck(List<Path> directories) {
        this.directories = directories;
    }

    /// A check that also compares the listings of these directories, with everything below them.
    ///
    /// @param directories staging and temporary directories; one that does not exist counts as empty
    /// @return the extension
    public static LeakCheck watching(Path... directories) {
        return new LeakCheck(List.of(directories));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Descriptors.warmUp();
        context.getStore(NAMESPACE).put(Base.class, Base.now(directories));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var base = context.getStore(NAMESPACE).remove(Base.class, Base.class);
        if (base == null) {
            return;
        }
        var left = awaitNothingLeft(base);
        if (!left.isEmpty()) {
            throw new AssertionError("%s left behind, %d ms after its end:%n  %s"
                    .formatted(context.getDisplayName(), LIMIT.toMillis(), String.join("\n  ", left)));
        }
    }

    private List<String> awaitNothingLeft(Base base) {
        var limit = Deadline.in(LIMIT);
        var left = base.leftNow(directories);
        while (!left.isEmpty() && !limit.passed()) {
            LockSupport.parkNanos(PAUSE_NANOS); // a closed descriptor wakes nobody, so this looks again
            left = base.leftNow(directories);
        }
        return left;
    }

    /// What there was before the test.
    record Base(long mark, Set<Thread> threads, Set<String> descriptors, int timers, Set<Path> files) {
        static Base now(List<Path> directories) {
            return new Base(
                    Ledger.ofThisJvm().mark(),
                    productThreads(),
                    Descriptors.open(),
                    Timers.system().pending(),
                    listing(directories));
        }

        List<String> leftNow(List<Path> directories) {
            var left = new ArrayList<String>();
            Ledger.ofThisJvm().liveSince(mark).forEach(entry -> left.add(entry.toString()));
            productThreads().stream()
                    .filter(thread -> !threads.contains(thread))
                    .forEach(thread -> left.add("thread '" + thread.getName() + "'" + top(thread)));
            Descriptors.open().stream()
                    .filter(open -> !descriptors.contains(open))
                    .forEach(open -> left.add("descriptor " + open));
            if (Timers.system().pending() > timers) {
                left.add("timers: " + Timers.system().pending() + " armed (before: " + timers + ")");
            }
            listing(directories).stream()
                    .filter(file -> !files.contains(file))
                    .forEach(file -> left.add("file " + file));
            return left;
        }

        private static String top(Thread thread) {
            var stack = thread.getStackTrace();
            return stack.length == 0 ? "" : " at " + stack[0];
        }
    }

    private static Set<Thread> productThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tenure-"))
                .collect(Collectors.toSet());
    }

    private static Set<Path> listing(List<Path> directories) {
        var files = new TreeSet<Path>();
        for (var directory : directories) {
            if (!Files.isDirectory(directory)) {
                continue;
            }
            try (var walk = Files.walk(directory)) {
                walk.filter(path -> !path.equals(directory)).forEach(files::add);
            } catch (IOException | UncheckedIOException _) {
                // A file went while it was listed: the next look sees the directory without it.
            }
        }
        return files;
    }
}

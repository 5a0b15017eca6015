package dev.tenure.testkit;

import dev.tenure.core.Deadline;
import dev.tenure.core.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// A program of the test's class path, running in a JVM of its own, so that signals, kills and exit
/// codes are real.
///
/// **Owner:** the test, by try-with-resources. **Ends:** when it exits by itself, or when this is
/// closed, which kills it and waits: no test leaves a process behind. **Threads:** any; two platform
/// threads of ours read its output. **Limits:** every wait is a watchdog of 30 s of real time, unless
/// another was given. **Fails:** with an `AssertionError` that prints everything the child wrote.
public final class ChildJvm implements AutoCloseable {
    private static final Duration WATCHDOG = Duration.ofSeconds(30);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final List<String> lines = new ArrayList<>();
    private int readersLeft = 2;
    private final Process process;
    private final List<Thread> readers;

    private ChildJvm(Process process) {
        this.process = process;
        this.readers = List.of(
                read("tenure-child-out", process.getInputStream(), ""),
                read("tenure-child-err", process.getErrorStream(), "err: "));
    }

    /// The signals a test may send.
    public enum Signal {
        /// Asks to end.
        TERM,
        /// Asks to end, as from a keyboard.
        INT,
        /// Ends at once; nothing in the process runs any more.
        KILL,
        /// Freezes it.
        STOP,
        /// Lets it go on.
        CONT
    }

    /// Starts the main class with the same JVM and class path as this process.
    ///
    /// @param mainClass has a `main` method
    /// @param arguments its arguments
    /// @return the running child
    public static ChildJvm start(Class<?> mainClass, String... arguments) {
        return start(List.of(), mainClass, arguments);
    }

    /// Starts the main class with options for its JVM.
    ///
    /// @param jvmOptions such as `-Xmx64m`
    /// @param mainClass has a `main` method
    /// @param arguments its arguments
    /// @return the running child
    public static ChildJvm start(List<String> jvmOptions, Class<?> mainClass, String... arguments) {
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(ManagementFactory.getRuntimeMXBean().getClassPath());
        command.add(mainClass.getName());
        command.addAll(List.of(arguments));
        return run(command, Map.of());
    }

    /// Starts any command, such as a launcher script.
    ///
    /// @param command the program and its arguments
    /// @param environment variables added to those of this process
    /// @return the running child
    public static ChildJvm run(List<String> command, Map<String, String> environment) {
        var builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        try {
            return new ChildJvm(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("child " + command.getFirst() + ": could not be started", e);
        }
    }

    /// The process id.
    ///
    /// @return the id
    public long pid() {
        return process.pid();
    }

    /// Whether it still runs.
    ///
    /// @return false once it has exited
    public boolean isAlive() {
        return process.isAlive();
    }

    /// What it wrote so far; lines of its standard error begin with `err: `.
    ///
    /// @return a copy, oldest first
    public List<String> lines() {
        lock.lock();
        try {
            return List.copyOf(lines);
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a line that begins so, now or before.
    ///
    /// @param prefix the beginning
    /// @return the first such line
    public String awaitLine(String prefix) {
        return awaitLine("a line beginning with '" + prefix + "'", line -> line.startsWith(prefix));
    }

    /// Waits for a line.
    ///
    /// @param what what is waited for, for the message
    /// @param wanted whether it is the line
    /// @return the first such line
    public String awaitLine(String what, Predicate<String> wanted) {
        var limit = Deadline.in(WATCHDOG);
        lock.lock();
        try {
            while (true) {
                var found = lines.stream().filter(wanted).findFirst();
                if (found.isPresent()) {
                    return found.get();
                }
                if (readersLeft == 0) {
                    throw failure("it ended without " + what);
                }
                if (!changed.await(limit.remainingNanos(), TimeUnit.NANOSECONDS) && limit.passed()) {
                    throw failure("waited " + WATCHDOG.toMillis() + " ms for " + what);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("child " + pid() + ": interrupted while waiting for " + what, e);
        } finally {
            lock.unlock();
        }
    }

    /// Sends a signal. Does not wait for its effect.
    ///
    /// @param signal which one
    public void signal(Signal signal) {
        try {
            var kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid()).start();
            if (kill.waitFor() != 0) {
                throw failure("could not be sent SIG" + signal);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("child " + pid() + ": could not be sent SIG" + signal, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("child " + pid() + ": interrupted while sending SIG" + signal, e);
        }
    }

    /// Waits until it has exited and its output is read to the end.
    ///
    /// @return its exit code; 128 and more means ended by a signal
    public int awaitExit() {
        return awaitExit(WATCHDOG);
    }

    /// Waits until it has exited and its output is read to the end.
    ///
    /// @param watchdog the longest wait
    /// @return its exit code; 128 and more means ended by a signal
    public int awaitExit(Duration watchdog) {
        try {
            if (!process.waitFor(watchdog.toNanos(), TimeUnit.NANOSECONDS)) {
                throw failure("still alive after " + watchdog.toMillis() + " ms");
            }
            for (var reader : readers) {
                reader.join(watchdog);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("child " + pid() + ": interrupted while waiting for its exit", e);
        }
    }

    /// Kills it if it still runs, and waits until it is gone and its output is read.
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        awaitExit();
        closeQuietly(process.getOutputStream());
    }

    private static void closeQuietly(AutoCloseable input) {
        try {
            input.close();
        } catch (Exception _) {
            // The child is gone: nothing was written that anybody could lose.
        }
    }

    private Thread read(String name, InputStream from, String mark) {
        return Threads.system().startPlatform(name, () -> {
            try (var reader = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                reader.lines().forEach(line -> add(mark + line));
            } catch (IOException | UncheckedIOException _) {
                add(mark + "(output cut off)");
            } finally {
                readToEnd();
            }
        });
    }

    private void add(String line) {
        lock.lock();
        try {
            lines.add(line);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void readToEnd() {
        lock.lock();
        try {
            readersLeft--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private AssertionError failure(String what) {
        return new AssertionError("child %d: %s; it wrote:%n  %s".formatted(pid(), what, String.join("\n  ", lines())));
    }
}

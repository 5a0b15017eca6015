package dev.tenure.it.photos;

import dev.tenure.jackson.JacksonJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The photo example as a process of its own, so that signals, kills and exit codes are real.
///
/// **Owner:** the test. **Ends:** by its own stop, or killed when closed. **Threads:** one, and one that reads its
/// lines.
final class PhotosProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final Path errors;
    private final Path report;
    private final CompletableFuture<URI> address = new CompletableFuture<>();
    private final CompletableFuture<Void> armed = new CompletableFuture<>();
    private final CompletableFuture<Void> held = new CompletableFuture<>();

    private PhotosProcess(Process process, Path errors, Path report) {
        this.process = process;
        this.errors = errors;
        this.report = report;
        Thread.ofPlatform().daemon().name("photos-lines").start(this::readLines);
    }

    /// How to start it: on a data directory, with its options, and if need be held at a point or below a command.
    static final class Launch {
        private final Path data;
        private final List<String> prefix = new ArrayList<>();
        private final List<String> jvm = new ArrayList<>();
        private final List<String> options = new ArrayList<>();
        private List<String> classes = List.of();
        private String main = "dev.tenure.examples.photos.Photos";

        private Launch(Path data) {
            this.data = data;
        }

        /// Adds options of the example.
        Launch with(String... more) {
            options.addAll(List.of(more));
            return this;
        }

        /// Adds arguments of the JVM.
        Launch jvm(String... more) {
            jvm.addAll(List.of(more));
            return this;
        }

        /// Takes the classes from elsewhere than [StartCache] does.
        Launch classes(List<String> arguments) {
            classes = arguments;
            return this;
        }

        /// Runs it by another command, which has to end in the JVM itself.
        Launch below(String... command) {
            prefix.addAll(List.of(command));
            return this;
        }

        /// Makes [PhotosProcess#hold] possible.
        Launch holdable() {
            main = HeldPhotos.class.getName();
            return this;
        }

        /// Holds as [PhotosProcess#hold] does, from the start on.
        Launch heldAt(String points) {
            return holdable().jvm("-Dphotos.hold=" + points);
        }

        /// Starts it and waits until it listens.
        PhotosProcess start() throws Exception {
            var started = launch();
            try {
                started.await(started.address);
                return started;
            } catch (Throwable failure) {
                started.close();
                throw failure;
            }
        }

        /// Starts it.
        PhotosProcess launch() throws IOException {
            var files = Files.createTempDirectory("photos-process");
            var process = new ProcessBuilder(command(files.resolve("report.json")))
                    .redirectError(files.resolve("errors").toFile())
                    .start();
            return new PhotosProcess(process, files.resolve("errors"), files.resolve("report.json"));
        }

        private List<String> command(Path report) {
            var command = new ArrayList<>(prefix);
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(
                    List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
            command.addAll(jvm);
            command.addAll(classes.isEmpty() ? StartCache.jvm() : classes);
            command.add(main);
            defaultOption(command, "--port", "0");
            defaultOption(command, "--data", data.toString());
            defaultOption(command, "--report", report.toString());
            command.addAll(options);
            return command;
        }

        private void defaultOption(List<String> command, String name, String value) {
            if (!options.contains(name)) {
                command.addAll(List.of(name, value));
            }
        }
    }

    static Launch on(Path data) {
        return new Launch(data);
    }

    /// Starts it on a data directory and a free port, and waits until it listens.
    static PhotosProcess start(Path data, String... options) throws Exception {
        return on(data).with(options).start();
    }

    private void readLines() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("photos: http://")) {
                    address.complete(URI.create(line.substring("photos: ".length())));
                }
                switch (line) {
                    case "armed" -> armed.complete(null);
                    case "held" -> held.complete(null);
                    default -> {}
                }
            }
        } catch (IOException gone) {
            address.completeExceptionally(gone);
        }
        var ended = new IllegalStateException("its output ended");
        address.completeExceptionally(ended);
        armed.completeExceptionally(ended);
        held.completeExceptionally(ended);
    }

    private <T> T await(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            throw new AssertionError(failure + "\n" + errors(), failure);
        }
    }

    URI uri(String path) {
        return address.join().resolve(path);
    }

    int port() {
        return address.join().getPort();
    }

    long pid() {
        return process.pid();
    }

    /// Waits until a thread is held at the point.
    void awaitHeld() throws Exception {
        await(held);
    }

    /// Holds the thread that will reach the last of these points, after the others in order.
    void hold(String points) throws Exception {
        say(points);
        await(armed);
    }

    /// Lets the held thread go on.
    void letGo() throws IOException {
        say("go");
    }

    private void say(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /// Sends SIGTERM.
    void terminate() {
        process.destroy();
    }

    /// Sends SIGKILL and waits for the end.
    void kill() {
        process.destroyForcibly();
        exitCode();
    }

    int exitCode() {
        try {
            if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("still running after %d s\n%s".formatted(PATIENCE_SECONDS, errors()));
    }

    /// What it wrote on standard error.
    String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    /// What the report says, as far as tests ask.
    record Report(
            String completion,
            String trigger,
            int exitCode,
            long elapsedMillis,
            boolean reconciles,
            Left left,
            List<PhaseReport> phases) {
        /// From the begin of the stop to the end of the jobs' part in the drain.
        long jobsNanos() {
            long millis = 0;
            for (var phase : phases) {
                if (phase.phase().equals("DRAIN_IN_FLIGHT")) {
                    var jobs = phase.calls().stream()
                            .filter(call -> call.component().equals("jobs"));
                    millis += jobs.mapToLong(CallReport::elapsedMillis).sum();
                    break;
                }
                millis += phase.elapsedMillis();
            }
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }

    record PhaseReport(String phase, long elapsedMillis, List<CallReport> calls) {}

    record CallReport(String component, long elapsedMillis) {}

    record Left(long resources, long threads, long temporaryFiles) {}

    Report report() throws IOException {
        return JacksonJson.create().read(Files.readAllBytes(report), Report.class);
    }

    @Override
    public void close() throws IOException {
        kill();
        Files.deleteIfExists(errors);
        Files.deleteIfExists(report);
        Files.delete(Objects.requireNonNull(errors.getParent()));
    }
}

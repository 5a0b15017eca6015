package dev.tenure.sim;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Observer;
import dev.tenure.host.Host;
import dev.tenure.host.ShutdownReport;
import dev.tenure.testkit.Violation;
import dev.tenure.testkit.World;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// The host of one run, on the world's clock; what it is told of counts as told.
///
/// **Owner:** the [Sim]. **Ends:** [#stop()], after the run. **Threads:** its coordinator's are not the scenario's.
final class SimHost {
    private final World world;
    private final ByHand threads;
    private final Turns turns;
    private final Host host;
    private @Nullable Path root;

    private SimHost(World world, boolean stopsByHand) {
        this.world = world;
        this.threads = new ByHand(stopsByHand);
        this.turns = new Turns(world);
        this.host = Host.named("sim")
                .signals(false)
                .timeSource(world.clock())
                .timers(turns)
                .threads(threads)
                .observer(new Ear(world))
                .start();
    }

    static SimHost open(World world, boolean stopsByHand) {
        return new SimHost(world, stopsByHand);
    }

    Host host() {
        return host;
    }

    Turns turns() {
        return turns;
    }

    ByHand threads() {
        return threads;
    }

    Observer observer() {
        return host.observer();
    }

    /// A directory of this run.
    Path directory(String name) {
        try {
            Path made = root;
            if (made == null) {
                made = Files.createTempDirectory("tenure-sim-");
                root = made;
            }
            return made.resolve(name);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// The stop as a part of the scenario, on its thread.
    ShutdownReport stopHere() {
        host.stop();
        threads.coordinate();
        return host.stopAndWait();
    }

    ShutdownReport stop() throws IOException {
        try {
            return stopHere();
        } finally {
            if (root != null) {
                checkAndDelete(root);
            }
        }
    }

    private void checkAndDelete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                world.violated(new Violation(
                        12,
                        2,
                        "part file",
                        "a file is left after the stop: " + folder.relativize(file),
                        "remove it with the scope that made it"));
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// Takes a failure that is told as told: it need not come out of the scenario as well.
    private record Ear(World world) implements Observer {
        @Override
        public void failed(String owner, Throwable failure) {
            world.handled(failure);
        }

        @Override
        public void overdue(CloseReport report) {
            // The stop's own report says it.
        }
    }
}

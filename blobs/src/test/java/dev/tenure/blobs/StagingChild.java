package dev.tenure.blobs;

import dev.tenure.core.Observer;
import dev.tenure.core.Scope;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.testkit.Probes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/// A process of its own on a store that a test watches: `ROOT stage` holds one staged blob, `ROOT publish BYTES`
/// publishes blob after blob; both until they are killed, or until their input ends. `ROOT publish BYTES POINT` stops
/// at
/// the point's first firing, to be killed there.
public final class StagingChild {
    private StagingChild() {}

    public static void main(String[] args) throws IOException {
        var seams = new Seams(TimeSource.system(), Timers.system(), Threads.system(), Observer.none());
        var blobs = DirectoryBlobs.in(Path.of(args[0])).open(seams);
        if (args[1].equals("stage")) {
            stage(blobs);
        } else {
            if (args.length > 3) {
                stopAt(args[3]);
            }
            publish(blobs, Long.parseLong(args[2]));
        }
    }

    @SuppressWarnings("MustBeClosedChecker") // the process is killed
    private static void stopAt(String wanted) {
        Probes.install(point -> {
            if (point.equals(wanted)) {
                System.out.println("at " + point);
                waitForTheKill();
            }
        });
    }

    private static void waitForTheKill() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void stage(Blobs blobs) throws IOException {
        try (var scope = Scope.open("child")) {
            var staged = blobs.stage(scope, Bench.bytes("staged"));
            System.out.println("staged " + staged.get().key());
            while (System.in.read() >= 0) {
                System.out.println("still here");
            }
        }
    }

    private static void publish(Blobs blobs, long bytes) throws IOException {
        System.out.println("publishing");
        while (true) {
            try (var scope = Scope.open("child")) {
                blobs.settle(blobs.place(scope, blobs.stage(scope, new Pattern(bytes))));
            }
        }
    }

    /// So many bytes, each the low byte of its place.
    static final class Pattern extends InputStream {
        private final long length;
        private long at;

        Pattern(long length) {
            this.length = length;
        }

        @Override
        public int read() {
            return at == length ? -1 : (int) (at++ & 0xff);
        }

        @Override
        public int read(byte[] into, int from, int count) {
            var n = (int) Math.min(count, length - at);
            for (var i = 0; i < n; i++) {
                into[from + i] = (byte) (at + i);
            }
            at += n;
            return n == 0 && count > 0 ? -1 : n;
        }
    }
}

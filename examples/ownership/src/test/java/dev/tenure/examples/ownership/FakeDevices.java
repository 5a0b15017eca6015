package dev.tenure.examples.ownership;

import dev.tenure.core.Probe;
import dev.tenure.examples.ownership.Devices.Decoder;
import dev.tenure.examples.ownership.Devices.Draft;
import dev.tenure.examples.ownership.Devices.Message;
import dev.tenure.examples.ownership.Devices.Session;
import dev.tenure.examples.ownership.Devices.Store;
import dev.tenure.testkit.FakeFiles;
import dev.tenure.testkit.Tracked;
import dev.tenure.testkit.World;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/// The devices of a sweep: what they hand out is tracked, and their files and rows are the kit's.
final class FakeDevices {
    private final World world;

    private FakeDevices(World world) {
        this.world = world;
    }

    static Devices of(World world) {
        var fakes = new FakeDevices(world);
        return new Devices(fakes::session, fakes.new Files(), fakes::decoder, fakes::message);
    }

    // tag::track
    private Session session() {
        Tracked<AutoCloseable> tracked = world.track(() -> {}, "session");
        return new Session() {
            @Override
            public void login() {
                tracked.get();
            }

            @Override
            public int pictureBytes() {
                tracked.get();
                return 4_000;
            }

            @Override
            public void close() throws IOException {
                Closing.of(tracked);
            }
        };
    }
    // end::track

    private Decoder decoder() {
        Tracked<AutoCloseable> tracked = world.track(() -> {}, "decoder");
        return new Decoder() {
            @Override
            public int width(String name) {
                tracked.get();
                return 640;
            }

            @Override
            public void close() throws IOException {
                Closing.of(tracked);
            }
        };
    }

    private Message message() {
        Tracked<AutoCloseable> tracked = world.track(this::awaitReceipt, "message");
        return new Message() {
            @Override
            public void say(String text) {
                tracked.get();
            }

            @Override
            public void close() throws IOException {
                Closing.of(tracked);
            }
        };
    }

    private void awaitReceipt() throws IOException {
        try {
            world.pause(Duration.ofMillis(20));
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while the receipt was awaited");
        }
    }

    private final class Files implements Store {
        @Override
        public Draft create(String name) throws IOException {
            FakeFiles.Handle handle = world.files().create(name);
            return new Draft() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public void write(int bytes) throws IOException {
                    handle.write(bytes);
                }

                @Override
                public void close() {
                    handle.close();
                }
            };
        }

        @Override
        public void delete(String name) throws IOException {
            if (world.files().exists(name)) {
                world.files().delete(name);
            }
        }

        @Override
        public void verify(String name) throws IOException {
            Probe.before("verify", name);
        }

        @Override
        public void catalogue(String name) throws IOException {
            try (var transaction = world.database().begin()) {
                transaction.refer(name, name);
                transaction.commit();
            }
        }
    }
}

package dev.tenure.examples.ownership;

import dev.tenure.core.Scope;
import dev.tenure.core.Task;
import dev.tenure.examples.ownership.Devices.Decoder;
import dev.tenure.examples.ownership.Devices.Draft;
import dev.tenure.examples.ownership.Devices.Message;
import dev.tenure.examples.ownership.Devices.Session;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/// Imports a picture, with four faults that no undisturbed run shows. [RepairedImport] is the same without them.
///
/// **Owner:** nobody, now and then: that is what it is for. **Threads:** one a call.
public final class LeakyImport {
    private final Devices devices;

    /// An import.
    ///
    /// @param devices what it works with
    public LeakyImport(Devices devices) {
        this.devices = devices;
    }

    /// Imports one picture.
    ///
    /// @param name what it is to be called
    /// @return its width
    /// @throws IOException if a device fails
    /// @throws ExecutionException if a task fails
    public int run(String name) throws IOException, ExecutionException {
        try (var scope = Scope.open("import")) {
            int bytes = pictureBytes();
            store(name, bytes);
            int width = width(scope, name);
            scope.fork("announce", () -> announce(name)).get();
            return width;
        }
    }

    // tag::leak
    private int pictureBytes() throws IOException {
        Session session = devices.camera().connect();
        session.login(); // throws? nobody closes the session
        try (session) {
            return session.pictureBytes();
        }
    }
    // end::leak

    // tag::publish
    private void store(String name, int bytes) throws IOException {
        write(name, bytes);
        try {
            devices.store().catalogue(name); // too early: from here on others rely on it
            devices.store().verify(name);
        } catch (IOException | RuntimeException | Error failure) {
            devices.store().delete(name); // and now the catalogue has a file that is not there
            throw failure;
        }
    }
    // end::publish

    private void write(String name, int bytes) throws IOException {
        Draft draft = devices.store().create(name);
        try (draft) {
            draft.write(bytes);
        } catch (IOException | RuntimeException | Error failure) {
            devices.store().delete(name);
            throw failure;
        }
    }

    // tag::lost
    private int width(Scope scope, String name) throws IOException, ExecutionException {
        Task<Decoder> opening = scope.fork("decoder", devices.decoders()::open);
        try (Decoder decoder = opening.get()) { // cancelled while it waits? then nobody takes the decoder
            return decoder.width(name);
        }
    }
    // end::lost

    // tag::finalizer
    private String announce(String name) throws IOException {
        try (Message message = devices.uplink().open()) {
            message.say("new: " + name); // cancelled here? the interrupt meets the close, which waits
            return name;
        }
    }
    // end::finalizer
}

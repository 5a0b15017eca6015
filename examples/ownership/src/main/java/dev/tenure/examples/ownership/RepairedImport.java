package dev.tenure.examples.ownership;

import dev.tenure.core.Owned;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Staged;
import dev.tenure.core.Task;
import dev.tenure.examples.ownership.Devices.Decoder;
import dev.tenure.examples.ownership.Devices.Draft;
import dev.tenure.examples.ownership.Devices.Message;
import dev.tenure.examples.ownership.Devices.Session;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/// Imports a picture: [LeakyImport] with each fault taken out.
///
/// **Owner:** what it opens is owned by scopes of its own. **Ends:** everything, when [#run] returns; a file whose
/// entry in the catalogue may or may not have been made is left to a reclaimer. **Threads:** one a call.
public final class RepairedImport {
    private static final ResourceType<Session> SESSION = ResourceType.of("session", Session::close);
    private static final ResourceType<Decoder> DECODER = ResourceType.of("decoder", Decoder::close);
    private static final ResourceType<Message> MESSAGE = ResourceType.of("message", Message::close);

    private final Devices devices;
    private final ResourceType<Draft> unpublished;

    /// An import.
    ///
    /// @param devices what it works with
    public RepairedImport(Devices devices) {
        this.devices = devices;
        this.unpublished = ResourceType.of("draft", this::discard);
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
        try (var scope = Scope.open("session")) {
            Owned<Session> session = scope.acquire(SESSION, devices.camera()::connect); // owned in the same step
            session.get().login();
            return session.get().pictureBytes();
        }
    }
    // end::leak

    // tag::publish
    private void store(String name, int bytes) throws IOException {
        try (var scope = Scope.open("store")) {
            Staged<Draft> draft = scope.stage(unpublished, () -> devices.store().create(name)); // discarded, unless ..
            draft.get().write(bytes);
            draft.get().close();
            devices.store().verify(name);
            draft.publish(this::catalogue); // .. it is published, last: nothing comes after it that can fail
        }
    }

    private String catalogue(Draft draft) throws IOException {
        devices.store().catalogue(draft.name());
        return draft.name();
    }

    private void discard(Draft draft) throws IOException {
        draft.close();
        devices.store().delete(draft.name());
    }
    // end::publish

    // tag::lost
    private int width(Scope scope, String name) throws IOException, ExecutionException {
        Task<Owned<Decoder>> opening = scope.fork("decoder", this::decoder);
        try (Owned<Decoder> decoder = opening.get()) { // cancelled while it waits? the decoder is the scope's by then
            return decoder.get().width(name);
        }
    }

    private Owned<Decoder> decoder() throws IOException {
        return Scope.current().acquire(DECODER, devices.decoders()::open);
    }
    // end::lost

    // tag::finalizer
    private String announce(String name) throws IOException {
        Owned<Message> message = Scope.current().acquire(MESSAGE, devices.uplink()::open);
        message.get().say("new: " + name);
        return name; // the task's scope closes the message where no interrupt reaches it
    }
    // end::finalizer
}

package dev.tenure.examples.ownership;

import dev.tenure.core.HandoffQueue;
import dev.tenure.core.Owned;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ExecutionException;

/// Reads from one peer over sockets that have an owner from their first instant on.
///
/// **Owner:** each method's scope, or the supervisor it is given. **Ends:** with it. **Threads:** any.
/// **Source:** the Resource Leak Checker accepts this file; see `docs/how-to/resource-leak-checker.md`.
public final class Peer {
    private static final ResourceType<Socket> SOCKET = ResourceType.of("socket", Socket::close);

    private final InetSocketAddress address;

    /// A peer to be connected to.
    ///
    /// @param address where it listens
    public Peer(InetSocketAddress address) {
        this.address = address;
    }

    /// Connects, reads one byte and closes the socket, on every way out.
    ///
    /// @return the byte, or -1 at the end of the stream
    /// @throws IOException if the connection fails
    // tag::acquire
    public int firstByte() throws IOException {
        try (Scope scope = Scope.open("first byte")) {
            Owned<Socket> socket = scope.acquire(SOCKET, this::connect); // owned from the return of connect on
            socket.get().setSoTimeout(1_000);
            return socket.get().getInputStream().read();
        }
    }

    private Socket connect() throws IOException {
        return new Socket(address.getAddress(), address.getPort());
    }
    // end::acquire

    /// The same for a value that is closed with its scope and needs no handle.
    ///
    /// @return the byte, or -1 at the end of the stream
    /// @throws IOException if the connection fails
    // tag::own
    public int firstByteShortly() throws IOException {
        try (Scope scope = Scope.open("first byte")) {
            Socket socket = scope.own(connect());
            socket.setSoTimeout(1_000);
            return socket.getInputStream().read();
        }
    }
    // end::own

    /// The same in a task of its own: the socket is the task's from before its thread starts.
    ///
    /// @return the byte, or -1 at the end of the stream
    /// @throws IOException if the connection fails
    /// @throws ExecutionException if reading fails
    // tag::fork
    public int firstByteInTask() throws IOException, ExecutionException {
        try (Scope scope = Scope.open("first byte")) {
            Owned<Socket> socket = scope.acquire(SOCKET, this::connect);
            return scope.fork(
                            "read", socket, mine -> mine.get().getInputStream().read())
                    .get();
        }
    }
    // end::fork

    /// Opens a connection that outlives the call: the supervisor owns it once this returns.
    ///
    /// @param connections takes the socket over
    /// @return the live handle
    /// @throws IOException if the connection fails; nothing is left of it then
    // tag::move
    public Owned<Socket> connectInto(Supervisor connections) throws IOException {
        try (Scope scope = Scope.open("connect")) {
            Owned<Socket> socket = scope.acquire(SOCKET, this::connect);
            socket.get().setTcpNoDelay(true); // throws? the scope closes the socket
            return socket.moveTo(connections); // all or nothing: before it the scope owns, after it the supervisor
        }
    }
    // end::move

    /// Connects and leaves the socket in a queue for whoever takes it.
    ///
    /// @param waiting owns the socket until it is taken
    /// @return whether there was room; if not, the socket is closed
    /// @throws IOException if the connection fails
    // tag::offer
    public boolean connectInto(HandoffQueue<Socket> waiting) throws IOException {
        try (Scope scope = Scope.open("connect")) {
            return waiting.offer(scope.acquire(SOCKET, this::connect)); // refused? the scope still owns it
        }
    }
    // end::offer
}

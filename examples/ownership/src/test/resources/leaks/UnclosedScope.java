package leaks;

import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import java.net.Socket;
import java.net.SocketException;

/// The scope owns the socket, and nobody closes the scope.
final class UnclosedScope {
    private static final ResourceType<Socket> SOCKET = ResourceType.of("socket", Socket::close);

    void open() throws SocketException {
        Scope scope = Scope.open("call"); // leak: required.method.not.called
        scope.acquire(SOCKET, Socket::new);
    }
}

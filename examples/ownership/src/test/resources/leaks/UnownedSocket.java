package leaks;

import dev.tenure.core.Scope;
import java.io.IOException;
import java.net.Socket;

/// The scope is closed, and the socket is not in it.
final class UnownedSocket {
    int read(String host) throws IOException {
        try (Scope scope = Scope.open("call")) {
            Socket socket = new Socket(host, 4711); // leak: required.method.not.called
            scope.checkpoint();
            return socket.getInputStream().read();
        }
    }
}

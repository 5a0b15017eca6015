package leaks;

import dev.tenure.core.Scope;
import java.io.IOException;
import java.net.Socket;

/// The socket gets its owner, but one call too late: if that call throws, nobody closes it.
final class Gap {
    int read(String host) throws IOException {
        try (Scope scope = Scope.open("call")) {
            Socket socket = new Socket(host, 4711); // leak: required.method.not.called
            socket.setSoTimeout(1_000);
            scope.own(socket);
            return socket.getInputStream().read();
        }
    }
}

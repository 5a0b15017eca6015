package leaks;

import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import java.io.IOException;
import java.net.Socket;

/// Right, and reported all the same: the checker does not see that a lambda's result goes to its caller.
final class FalseAlarm {
    private static final ResourceType<Socket> SOCKET = ResourceType.of("socket", Socket::close);

    int read(String host) throws IOException {
        try (Scope scope = Scope.open("call")) {
            return scope.acquire(SOCKET, () -> new Socket(host, 4711)) // leak: required.method.not.called
                    .get()
                    .getInputStream()
                    .read();
        }
    }
}

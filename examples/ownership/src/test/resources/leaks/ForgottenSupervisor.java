package leaks;

import dev.tenure.core.ResourceType;
import dev.tenure.core.Supervisor;
import java.io.IOException;
import java.net.ServerSocket;

/// On a failure in between, the supervisor and what it owns are left.
final class ForgottenSupervisor {
    private static final ResourceType<ServerSocket> LISTENER = ResourceType.of("listener", ServerSocket::close);

    Supervisor listen(int port) throws IOException {
        Supervisor connections = Supervisor.open("connections"); // leak: required.method.not.called
        connections.own(LISTENER, new ServerSocket(port));
        return connections;
    }
}

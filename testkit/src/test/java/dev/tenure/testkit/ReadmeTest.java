package dev.tenure.testkit;

import static dev.tenure.testkit.Scenarios.SOCKET;

import dev.tenure.core.Scope;

/// What the README shows.
class ReadmeTest {
    // tag::use
    @FaultSweep
    void upload(World world) throws Exception {
        try (var scope = Scope.open("upload")) {
            var socket = scope.acquire(SOCKET, () -> world.socket("peer"));
            socket.get().write(10);
        }
    }
    // end::use
}

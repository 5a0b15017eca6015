package dev.tenure.testkit;

import dev.tenure.core.Owned;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import java.io.IOException;

/// Scenarios, right and wrong, that several tests sweep.
final class Scenarios {
    static final ResourceType<FakeSocket> SOCKET = ResourceType.of("socket", FakeSocket::close);
    static final ResourceType<FakePool.Connection> CONNECTION =
            ResourceType.of("connection", FakePool.Connection::close);

    private Scenarios() {}

    /// Acquires in one step, uses, releases.
    static void right(World world) throws Exception {
        try (var scope = Scope.open("request")) {
            var socket = scope.acquire(SOCKET, () -> world.socket("peer"));
            socket.get().write(10);
            scope.checkpoint();
            socket.get().read();
        }
    }

    /// Looks for a cancel between opening and owning.
    static void gap(World world) throws Exception {
        try (var scope = Scope.open("request")) {
            var socket = world.socket("peer");
            scope.checkpoint();
            Owned<FakeSocket> owned = scope.own(SOCKET, socket);
            owned.get().write(10);
        }
    }

    /// Three tasks over a pool, a socket and a database.
    static void tasks(World world) throws Exception {
        var pool = world.pool("pool", 2);
        try (var scope = Scope.open("request")) {
            var socket = scope.acquire(SOCKET, () -> world.socket("peer"));
            var query = scope.fork("query", () -> {
                var connection = Scope.current().acquire(CONNECTION, pool::lease);
                connection.get().execute("select");
                return 1;
            });
            var send = scope.fork("send", socket, sent -> {
                sent.get().write(10);
                return 2;
            });
            query.get();
            send.get();
        }
    }

    /// One task over a socket and a pool: 46 points.
    static void forty(World world) throws Exception {
        var pool = world.pool("pool", 1);
        try (var scope = Scope.open("request")) {
            var socket = scope.acquire(SOCKET, () -> world.socket("peer"));
            var query = scope.fork("query", () -> {
                var connection = Scope.current().acquire(CONNECTION, pool::lease);
                connection.get().execute("select");
                return 1;
            });
            query.get();
            socket.get().write(10);
        }
    }

    /// The same with a gap in a task.
    static void tasksWithGap(World world) throws Exception {
        try (var scope = Scope.open("request")) {
            var query = scope.fork("query", () -> {
                var socket = world.socket("peer");
                Scope.current().checkpoint();
                return Scope.current().own(SOCKET, socket).get().read();
            });
            var other = scope.fork("other", () -> 2);
            query.get();
            other.get();
        }
    }

    /// Tries twice, and forgets what it opened before if both fail.
    static void retrying(World world) throws Exception {
        world.opened("alarm", "alarm");
        for (int attempt = 0; attempt < 2; attempt++) {
            try (var socket = world.socket("peer")) {
                socket.write(1);
                world.ended("alarm", "silenced");
                return;
            } catch (IOException once) {
                world.handled(once);
            }
        }
    }

    /// Wrong only if the second task runs between two steps of the first.
    static void order(World world) throws Exception {
        var closed = new boolean[1];
        try (var scope = Scope.open("request")) {
            var socket = scope.acquire(SOCKET, () -> world.socket("peer"));
            var user = scope.fork("user", () -> {
                if (!closed[0]) {
                    socket.get().write(1);
                }
                return 1;
            });
            var closer = scope.fork("closer", () -> {
                closed[0] = true;
                socket.close();
                return 2;
            });
            user.join();
            closer.join();
        }
    }
}

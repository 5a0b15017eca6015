package dev.tenure.http;

import dev.tenure.http.internal.netty.NettyServer;

/// Shows tests of other packages what is inside a server.
public final class Internals {
    private Internals() {}

    public static NettyServer netty(HttpServer server) {
        return server.netty();
    }
}

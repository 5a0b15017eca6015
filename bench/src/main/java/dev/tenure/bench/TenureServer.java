package dev.tenure.bench;

import dev.tenure.host.Host;
import dev.tenure.http.HttpServer;
import dev.tenure.http.Response;

/// A small text by a direct handler of this toolkit.
public final class TenureServer {
    private TenureServer() {}

    public static void main(String[] args) {
        System.exit(Host.exitCode(() -> {
            try (var host = Host.named("bench").start()) {
                host.own(HttpServer.on(Integer.parseInt(args[0]))
                        .routes(routes -> routes.get("/plain", _ -> Response.ok().text("hello"))));
                return host.awaitStop();
            }
        }));
    }
}

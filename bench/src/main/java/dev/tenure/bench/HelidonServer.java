package dev.tenure.bench;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;

/// The same text by Helidon's web server, which is made for virtual threads.
public final class HelidonServer {
    private HelidonServer() {}

    public static void main(String[] args) {
        WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(args[0]))
                .routing(routing -> routing.get("/plain", (_, response) -> response
                        .header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                        .send("hello")))
                .build()
                .start();
    }
}

package dev.tenure.it.docs;

import dev.tenure.db.Database;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.ShutdownReport;
import dev.tenure.http.Exchange;
import dev.tenure.http.HttpServer;
import dev.tenure.http.Response;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// The program of the README.
final class Hello {
    private Hello() {}

    // tag::hello
    public static void main(String[] args) {
        System.exit(Host.exitCode(() -> run(args))); // the library itself never exits
    }

    static ShutdownReport run(String... args) {
        if (args.length != 2 || !args[0].matches("[0-9]{1,5}")) {
            throw ConfigurationError.of("arguments", List.of(args), "a port and a database file");
        }
        try (var host = Host.named("hello").start()) {
            var database = host.own(Database.sqlite(Path.of(args[1])));
            var server = host.own(HttpServer.on(Integer.parseInt(args[0]))
                    .routes(routes ->
                            routes.get("/hello/{name}", exchange -> database.withReader(sql -> greet(sql, exchange)))));
            System.out.println("http://127.0.0.1:" + server.port() + "/hello/you");
            return host.awaitStop(); // SIGTERM, Ctrl-C, host.stop(), or a failed service
        }
    }

    static Response greet(Connection sql, Exchange exchange) throws SQLException {
        try (var query = sql.prepareStatement("select 'hello ' || ?")) {
            query.setString(1, exchange.path("name"));
            return Response.ok().text(query.executeQuery().getString(1));
        }
    }
    // end::hello
}

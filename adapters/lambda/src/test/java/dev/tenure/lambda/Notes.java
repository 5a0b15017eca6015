package dev.tenure.lambda;

import dev.tenure.core.ResourceType;
import dev.tenure.http.Exchange;
import dev.tenure.http.Response;
import dev.tenure.http.RouteSource;
import dev.tenure.http.Routes;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

// tag::notes
/// Notes in a SQLite file that is open during a request and at no other time.
record Notes(Path file) implements RouteSource {
    private static final ResourceType<Connection> CONNECTION = ResourceType.of("sqlite", Connection::close);

    @Override
    public void routes(Routes routes) {
        routes.post("/notes/{name}", this::write).get("/notes/{name}", this::read);
    }

    private Response write(Exchange exchange) throws SQLException {
        var sql = open(exchange);
        try (var insert = sql.prepareStatement("insert or replace into notes values (?, ?)")) {
            insert.setString(1, exchange.path("name"));
            insert.setString(2, exchange.body().text());
            insert.executeUpdate();
        }
        return Response.created("/notes/" + exchange.path("name")).empty();
    }

    private Response read(Exchange exchange) throws SQLException {
        var sql = open(exchange);
        try (var query = sql.prepareStatement("select text from notes where name = ?")) {
            query.setString(1, exchange.path("name"));
            var found = query.executeQuery();
            return found.next()
                    ? Response.ok().text(found.getString(1))
                    : Response.status(404).text("no such note");
        }
    }

    private Connection open(Exchange exchange) throws SQLException {
        var sql = exchange.scope().acquire(CONNECTION, () -> DriverManager.getConnection("jdbc:sqlite:" + file));
        try (var create = sql.get().createStatement()) {
            create.execute("create table if not exists notes (name text primary key, text text not null)");
        }
        return sql.get();
    }
}
// end::notes

package dev.tenure.lambda;

import dev.tenure.db.Database;
import dev.tenure.host.Reopenable;
import dev.tenure.http.Exchange;
import dev.tenure.http.Response;
import dev.tenure.http.RouteSource;
import dev.tenure.http.Routes;
import java.sql.SQLException;
import java.util.Optional;

// tag::notes
/// Notes in a database that opens at its first use; when it closes is the host's business.
record Notes(Reopenable<Database> database) implements RouteSource {
    @Override
    public void routes(Routes routes) {
        routes.post("/notes/{name}", this::write).get("/notes/{name}", this::read);
    }

    private Response write(Exchange exchange) throws SQLException {
        var name = exchange.path("name");
        var text = exchange.body().text();
        database.get().withLease(sql -> {
            try (var insert = sql.prepareStatement("insert or replace into notes values (?, ?)")) {
                insert.setString(1, name);
                insert.setString(2, text);
                return insert.executeUpdate();
            }
        });
        return Response.created("/notes/" + name).empty();
    }

    private Response read(Exchange exchange) throws SQLException {
        Optional<String> found = database.get().withReader(sql -> {
            try (var query = sql.prepareStatement("select text from notes where name = ?")) {
                query.setString(1, exchange.path("name"));
                var row = query.executeQuery();
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        });
        return found.map(text -> Response.ok().text(text))
                .orElseGet(() -> Response.status(404).text("no such note"));
    }
}
// end::notes

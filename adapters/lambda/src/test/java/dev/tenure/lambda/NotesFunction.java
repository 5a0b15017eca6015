package dev.tenure.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.tenure.db.Database;
import dev.tenure.host.DeploymentPolicy;
import dev.tenure.host.Host;
import dev.tenure.host.Reopenable;
import dev.tenure.http.HttpCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

// tag::function
/// What the platform makes once a process, and then calls once a request: `dev.tenure.lambda.NotesFunction`.
public final class NotesFunction implements RequestStreamHandler {
    private final HttpFunction function = serving(Path.of(System.getProperty("notes.file")));

    private static HttpFunction serving(Path file) {
        var host = Host.named("notes")
                .policy(DeploymentPolicy.REQUEST_ISOLATED)
                .signals(false) // the platform's process ends as it likes; its exit runs the stop
                .stopBudget(Duration.ofMillis(300))
                .start();
        var database = Reopenable.of(host, "notes", Database.sqlite(file).migratedBy(NotesFunction::table));
        return HttpFunction.on(host, HttpCalls.over(new Notes(database)));
    }

    static void table(DataSource source) throws SQLException {
        try (var sql = source.getConnection();
                var create = sql.createStatement()) {
            create.execute("create table if not exists notes (name text primary key, text text not null)");
        }
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        function.handleRequest(in, out, context);
    }
}
// end::function

package dev.tenure.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.tenure.host.Host;
import dev.tenure.http.HttpCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

// tag::function
/// What the platform makes once a process, and then calls once a request: `dev.tenure.lambda.NotesFunction`.
public final class NotesFunction implements RequestStreamHandler {
    private final HttpFunction function = serving(Path.of(System.getProperty("notes.file", "/tmp/notes.db")));

    private static HttpFunction serving(Path file) {
        var host = Host.named("notes")
                .signals(false) // the platform's process ends as it likes; its exit runs the stop
                .stopBudget(Duration.ofMillis(300))
                .start();
        return HttpFunction.on(host, HttpCalls.over(new Notes(file)));
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        function.handleRequest(in, out, context);
    }
}
// end::function

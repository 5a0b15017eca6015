package dev.tenure.examples.photos;

import dev.tenure.http.Exchange;
import dev.tenure.http.HttpStatusException;
import dev.tenure.http.Response;
import dev.tenure.http.RouteSource;
import dev.tenure.http.Routes;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Routes for trying out a stop: fast, slow, and one that never ends.
///
/// **Owner:** the program, with `--drill` only. **Threads:** each request its own.
final class Drill implements RouteSource {
    private static final long SLOW_MILLIS_MAX = 600_000;

    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    public void routes(Routes routes) {
        routes.get("/drill/plain", this::plain)
                .get("/drill/slow", this::slow)
                .get("/drill/stuck", this::stuck)
                .post("/drill/echo", this::echo);
    }

    private Response plain(Exchange exchange) {
        return Response.ok().text("hello");
    }

    private Response slow(Exchange exchange) throws InterruptedException {
        long millis = millis(exchange.query("ms").orElse("50"));
        if (never.await(millis, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("never came");
        }
        return Response.ok().text("slept " + millis + " ms");
    }

    private static long millis(String text) {
        try {
            long millis = Long.parseLong(text);
            if (millis >= 0 && millis <= SLOW_MILLIS_MAX) {
                return millis;
            }
        } catch (NumberFormatException notANumber) {
            throw new HttpStatusException(400, "ms is a number from 0 to " + SLOW_MILLIS_MAX, notANumber);
        }
        throw new HttpStatusException(400, "ms is a number from 0 to " + SLOW_MILLIS_MAX);
    }

    /// Does what no handler may do: it takes no notice of being cancelled.
    private Response stuck(Exchange exchange) {
        while (never.getCount() > 0) {
            ignoreInterrupts();
        }
        return Response.ok().text("never");
    }

    private void ignoreInterrupts() {
        try {
            never.await();
        } catch (InterruptedException ignored) {
            // on purpose
        }
    }

    private Response echo(Exchange exchange) {
        return Response.ok()
                .type(exchange.header("Content-Type").orElse("application/octet-stream"))
                .bytes(exchange.body().bytes());
    }
}

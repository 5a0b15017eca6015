package dev.tenure.examples.photos;

import dev.tenure.db.CommitOutcome;
import dev.tenure.db.Transaction;
import dev.tenure.http.EventStream;
import dev.tenure.http.Exchange;
import dev.tenure.http.JsonCodec;
import dev.tenure.http.Response;
import dev.tenure.http.RouteSource;
import dev.tenure.http.Routes;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/// Tells every open page what changed, once it is committed.
///
/// **Owner:** the program. A follower belongs to the exchange that streams it, and ends with it.
/// **Threads:** any. **Limits:** 256 changes wait for a page; one that falls behind is told `hello` and reads the list.
final class Feed implements RouteSource {
    private static final int WAITING_MAX = 256;
    private static final Change HELLO = new Change("hello", "{}");

    private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
    private final JsonCodec json;

    Feed(JsonCodec json) {
        this.json = json;
    }

    private record Change(String name, String data) {}

    @Override
    public void routes(Routes routes) {
        routes.get("/events", this::follow);
    }

    /// Tells the pages if this transaction commits.
    void onCommit(Transaction tx, String name, Object data) {
        var change = new Change(name, new String(json.write(data), StandardCharsets.UTF_8));
        tx.onOutcome(end -> {
            if (end == CommitOutcome.End.COMMITTED) {
                followers.forEach(follower -> follower.offer(change));
            }
        });
    }

    private Response follow(Exchange exchange) {
        return Response.ok().events(this::stream);
    }

    private void stream(EventStream events) throws Exception {
        var follower = new Follower();
        followers.add(follower);
        try {
            while (true) {
                var change = follower.take();
                events.send(change.name(), change.data());
            }
        } finally {
            followers.remove(follower);
        }
    }

    /// One open page. It greets first, so that the page reads the list after it began to listen.
    private static final class Follower {
        private final BlockingQueue<Change> waiting = new ArrayBlockingQueue<>(WAITING_MAX);

        Follower() {
            offer(HELLO);
        }

        synchronized void offer(Change change) {
            if (!waiting.offer(change)) {
                waiting.clear();
                waiting.add(HELLO);
            }
        }

        Change take() throws InterruptedException {
            return waiting.take();
        }
    }
}

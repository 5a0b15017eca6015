package dev.tenure.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The Runtime API of the platform on loopback: it gives out one invocation at a time, and takes answers and errors.
final class RuntimeApi implements AutoCloseable {
    private static final String ROOT = "/2018-06-01/runtime/";
    private static final long WATCHDOG_SECONDS = 60;

    /// What came back of an invocation.
    record Reply(String path, String body) {
        boolean isError() {
            return path.endsWith("/error");
        }
    }

    private record Invocation(String id, String event, long deadlineMillis) {}

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final BlockingQueue<Invocation> invocations = new LinkedBlockingQueue<>();
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    private final Semaphore polls = new Semaphore(0);

    RuntimeApi() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext(ROOT, this::answer);
        server.start();
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /// Gives an event out, and waits for what comes back of it.
    Reply invoke(String event, int millis) {
        give(event, millis);
        return awaitReply();
    }

    void give(String event, int millis) {
        var id = UUID.randomUUID().toString();
        invocations.add(new Invocation(id, event, System.currentTimeMillis() + millis));
    }

    Reply awaitReply() {
        try {
            var reply = replies.poll(WATCHDOG_SECONDS, TimeUnit.SECONDS);
            assertThat(reply).as("a reply within %d s", WATCHDOG_SECONDS).isNotNull();
            return reply;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Waits until the function asks for its next invocation: then the platform may freeze it.
    void awaitIdle() {
        try {
            assertThat(polls.tryAcquire(WATCHDOG_SECONDS, TimeUnit.SECONDS))
                    .as("the function asks for an invocation")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath().substring(ROOT.length());
        try (exchange) {
            if (path.equals("invocation/next")) {
                next(exchange);
            } else {
                var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
                // The client of the runtime crashes on a reply without a content type.
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                send(exchange, 202, "{\"status\": \"OK\"}");
                replies.add(new Reply(path, body));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void next(HttpExchange exchange) throws IOException, InterruptedException {
        polls.release();
        var invocation = invocations.take();
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", "application/json");
        headers.set("Lambda-Runtime-Aws-Request-Id", invocation.id());
        headers.set("Lambda-Runtime-Deadline-Ms", Long.toString(invocation.deadlineMillis()));
        headers.set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:local:0:function:test");
        headers.set("Lambda-Runtime-Trace-Id", "Root=1-0-0;Parent=0;Sampled=0");
        send(exchange, 200, invocation.event());
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        var bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

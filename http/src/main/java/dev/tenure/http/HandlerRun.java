package dev.tenure.http;

import dev.tenure.core.Cancelled;
import dev.tenure.core.Scope;
import dev.tenure.http.internal.exchange.Event.Flow;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.files.Validators;
import dev.tenure.http.internal.flow.ExchangePort;
import dev.tenure.http.internal.wire.ResponseHead;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/// The task of one exchange: handler, answer, scope, in this order; the last thing it does is to say that it is over.
///
/// A whole answer goes out when the scope has closed, in one step with the end of the task. What is streamed goes out
/// while the scope is open; so does a whole answer if there is an activity, since that may take longer than the
/// client should wait.
final class HandlerRun implements Callable<HandlerRun.Done> {
    /// There is nothing to tell of it.
    enum Done {
        /// It is over.
        DONE
    }

    /// A whole answer that waits for the scope's end.
    record Pending(ResponseHead head, Piece body) {}

    private final ServedExchange exchange;
    private final ExchangePort port;

    /// Taken by the task when it begins, or by a cancel that came before: a task that is cancelled before it starts
    /// never runs its body, and then nobody else would say that it is over.
    private final AtomicBoolean taken = new AtomicBoolean();

    HandlerRun(ServedExchange exchange) {
        this.exchange = exchange;
        this.port = exchange.port();
    }

    /// After a cancel: if the task has not begun, it never does, and its exchange is told so.
    void endUnlessBegun() {
        if (taken.compareAndSet(false, true)) {
            port.ended();
        }
    }

    @Override
    public Done call() {
        if (!taken.compareAndSet(false, true)) {
            return Done.DONE;
        }
        Optional<Pending> pending = Optional.empty();
        try {
            pending = inScope();
        } catch (Throwable cleanup) {
            exchange.serving().failed(name("cleanup"), cleanup);
        } finally {
            exchange.over();
            end(pending);
        }
        return Done.DONE;
    }

    private void end(Optional<Pending> pending) {
        if (pending.isPresent()) {
            port.answerAndEnd(pending.get().head(), pending.get().body());
        } else {
            port.ended();
        }
    }

    /// A failed cleanup is told, and does not take the answer away.
    private Optional<Pending> inScope() {
        Optional<Pending> pending = Optional.empty();
        Scope task = Scope.current();
        try (Scope scope = Scope.open(exchange.route())) {
            exchange.entered(task, scope);
            pending = answered();
        } catch (RuntimeException cleanup) {
            exchange.serving().failed(name("cleanup"), cleanup);
        }
        return pending;
    }

    private Optional<Pending> answered() {
        try {
            return give(handled());
        } catch (Throwable failure) {
            return isMessenger(failure) ? Optional.empty() : refused(failure);
        }
    }

    /// The one place where a handler is called: the frame above this one in a stack is the handler's.
    private Response handled() throws Exception {
        return exchange.served().handler().handle(exchange);
    }

    // ---- answers ----

    private Optional<Pending> give(Response response) throws Exception {
        ResponseHead head = response.head();
        boolean readable =
                head.status() == 200 && (exchange.isHead() || exchange.method().equals("GET"));
        if (readable && Validators.of(head).isKnownTo(exchange.head())) {
            return whole(head.as(304, 0), Piece.empty());
        }
        return switch (response.content()) {
            case Content.Whole bytes -> whole(head, Piece.of(bytes.bytes()));
            case Content.Json json -> json(head, json.value());
            case Content.OpenFile file ->
                new FileAnswer(exchange, head).send(file.handle().get(), this);
            case Content.Streamed streamed -> stream(head, streamed.producer());
            case Content.Events events -> events(head, events.producer());
        };
    }

    private Optional<Pending> json(ResponseHead head, Object value) {
        byte[] json = exchange.serving().json().write(value);
        return whole(head.as(head.status(), json.length), Piece.of(json));
    }

    Optional<Pending> whole(ResponseHead head, Piece body) {
        if (exchange.hasActivity()) {
            exchange.over();
            port.answer(head, body);
            return Optional.empty();
        }
        return Optional.of(new Pending(head, body));
    }

    /// The answer to a failure; nothing of another has gone out.
    private Optional<Pending> refused(Throwable failure) {
        try {
            return give(failed(failure));
        } catch (Throwable mapping) {
            if (isMessenger(mapping)) {
                return Optional.empty();
            }
            exchange.serving().failed(name("handler"), failure);
            exchange.serving().failed(name("mapping"), mapping);
            byte[] text = ErrorText.bytes(500, exchange.id());
            return whole(ErrorText.of(500, text).head(), Piece.of(text));
        }
    }

    Optional<Pending> stream(ResponseHead head, BodyProducer producer) {
        if (exchange.isHead()) {
            return whole(head, Piece.empty());
        }
        var out = new AnswerWriter(port);
        return produced(head, Flow.STREAM, () -> {
            producer.produce(out);
            out.flush();
        });
    }

    private Optional<Pending> events(ResponseHead head, EventProducer producer) {
        if (exchange.isHead()) {
            return whole(head, Piece.empty());
        }
        var events = new AnswerEvents(port);
        return produced(head, Flow.EVENTS, () -> producer.produce(events));
    }

    @FunctionalInterface
    private interface Production {
        void run() throws Exception;
    }

    private Optional<Pending> produced(ResponseHead head, Flow flow, Production production) {
        exchange.liftDeadline();
        port.begin(head, flow);
        try {
            production.run();
            port.finish();
        } catch (Throwable failure) {
            port.fail();
            if (!isMessenger(failure)) {
                exchange.serving().failed(name("answer"), failure);
            }
        }
        return Optional.empty();
    }

    // ---- failures ----

    /// Whether a failure only says that the exchange was cancelled, which the engine knows.
    private boolean isMessenger(Throwable failure) {
        boolean messenger = failure instanceof Cancelled
                || failure instanceof InterruptedException
                || failure instanceof java.nio.channels.ClosedByInterruptException
                || failure instanceof java.io.InterruptedIOException;
        return messenger && exchange.scope().cancelled().isPresent();
    }

    private Response failed(Throwable failure) {
        Optional<Response> mapped = exchange.serving().mapped(failure);
        if (mapped.isPresent()) {
            return told(mapped.get(), failure);
        }
        exchange.serving().failed(name("handler"), failure);
        return ErrorText.of(500, ErrorText.bytes(500, exchange.id()));
    }

    /// What is the client's fault is told to the client alone.
    private Response told(Response answer, Throwable failure) {
        if (answer.status() >= 500) {
            exchange.serving().failed(name("answer " + answer.status()), failure);
        }
        return answer;
    }

    private String name(String part) {
        return "%s of %s (%s)".formatted(part, exchange.route(), exchange.id());
    }
}

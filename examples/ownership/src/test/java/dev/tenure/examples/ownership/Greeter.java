package dev.tenure.examples.ownership;

import dev.tenure.core.Owned;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import java.io.IOException;

/// The code of the tutorial: calls a number, says hello, and hears the answer. First as it is, then as it should be.
final class Greeter {
    /// A telephone line.
    interface Line extends AutoCloseable {
        void say(String text) throws IOException;

        String hear() throws IOException;

        @Override
        void close() throws IOException;
    }

    /// Dials numbers.
    @FunctionalInterface
    interface Exchange {
        Line dial(String number) throws IOException;
    }

    private final Exchange exchange;

    Greeter(Exchange exchange) {
        this.exchange = exchange;
    }

    // tag::before
    String greet(String number) throws IOException {
        Line line = exchange.dial(number);
        line.say("hello");
        try (line) {
            return line.hear();
        }
    }
    // end::before

    // tag::after
    private static final ResourceType<Line> LINE = ResourceType.of("line", Line::close);

    String greetOwned(String number) throws IOException {
        try (Scope scope = Scope.open("greet")) {
            Owned<Line> line = scope.acquire(LINE, () -> exchange.dial(number));
            line.get().say("hello");
            return line.get().hear();
        }
    }
    // end::after
}

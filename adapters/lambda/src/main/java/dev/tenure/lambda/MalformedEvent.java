package dev.tenure.lambda;

/// What the function was invoked with is not an HTTP event of payload format 2.0: the invocation fails, and the
/// platform says 502 to a client if there is one.
///
/// The message names the field and what was expected, and never quotes what came.
public final class MalformedEvent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final String EXPECTED = "an HTTP event of payload format 2.0, of API Gateway or a function URL";

    MalformedEvent(String what) {
        super("event: %s (expected: %s)".formatted(what, EXPECTED));
    }

    MalformedEvent(String what, Throwable cause) {
        super("event: %s (expected: %s)".formatted(what, EXPECTED), cause);
    }
}

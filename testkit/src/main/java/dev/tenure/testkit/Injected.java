package dev.tenure.testkit;

import java.io.IOException;

/// What the sweep throws: without stack traces, since there are thousands of them.
final class Injected {
    private Injected() {}

    static Throwable of(Fault fault, String point) {
        String message = fault + " injected at " + point;
        return switch (fault) {
            case THROW_CHECKED, UNKNOWN, REFUSE -> new Checked(message);
            case THROW_ERROR -> new Fatal(message);
            case OOM -> new Memory(message);
            default -> new Unchecked(message);
        };
    }

    /// Throws anything from anywhere: an injected fault asks nobody.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <X extends Throwable> X thrown(Throwable fault) throws X {
        throw (X) fault;
    }

    private static final class Checked extends IOException {
        private static final long serialVersionUID = 1L;

        Checked(String message) {
            super(message);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    private static final class Unchecked extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unchecked(String message) {
            super(message, null, true, false);
        }
    }

    private static final class Fatal extends Error {
        private static final long serialVersionUID = 1L;

        Fatal(String message) {
            super(message, null, true, false);
        }
    }

    private static final class Memory extends OutOfMemoryError {
        private static final long serialVersionUID = 1L;

        Memory(String message) {
            super(message);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}

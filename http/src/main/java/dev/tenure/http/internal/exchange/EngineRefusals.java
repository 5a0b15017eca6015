package dev.tenure.http.internal.exchange;

import dev.tenure.http.internal.wire.Reasons;
import dev.tenure.http.internal.wire.Refusal;
import org.jspecify.annotations.Nullable;

/// What an engine answers of its own: which limit, without internals.
final class EngineRefusals {
    static final Refusal STOPPING = new Refusal(503, "the server is stopping");
    static final Refusal NO_ANSWER = new Refusal(500, Reasons.phrase(500));

    private static final long SECOND = 1_000_000_000;

    private EngineRefusals() {}

    static Refusal answerLate(@Nullable CurrentExchange x) {
        long nanos = x == null || x.plan == null ? 0 : x.plan.exchangeNanos();
        return new Refusal(504, "the answer took longer than " + time(nanos));
    }

    static Refusal headLate(EngineLimits.Clocks clocks) {
        return new Refusal(408, "the head took longer than " + time(clocks.header()));
    }

    static Refusal bodyIdle(EngineLimits.Clocks clocks) {
        return new Refusal(408, "no byte of the body came for " + time(clocks.bodyIdle()));
    }

    private static String time(long nanos) {
        return nanos % SECOND == 0 ? nanos / SECOND + " s" : nanos / 1_000_000 + " ms";
    }
}

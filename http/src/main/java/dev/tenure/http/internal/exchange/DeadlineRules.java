package dev.tenure.http.internal.exchange;

import dev.tenure.http.internal.exchange.ConnectionState.Phase;
import dev.tenure.http.internal.exchange.Event.Flow;

/// Which clocks run in which state, and when they strike. One table, so that the next deadline and what is due agree.
final class DeadlineRules {
    static final long NEVER = Long.MAX_VALUE;

    enum Clock {
        HEADER,
        KEEP_ALIVE,
        STOP_GRACE,
        EXCHANGE,
        BODY_IDLE,
        WRITE_IDLE,
        HEARTBEAT,
        LINGER
    }

    private static final Clock[] CLOCKS = Clock.values();

    private DeadlineRules() {}

    /// The earliest time at which something is due.
    static long next(ConnectionState s) {
        long next = NEVER;
        for (Clock clock : CLOCKS) {
            next = Math.min(next, at(clock, s));
        }
        return next;
    }

    /// When a clock strikes in this state.
    static long at(Clock clock, ConnectionState s) {
        CurrentExchange x = s.current;
        if (x != null && s.phase == Phase.EXCHANGE) {
            return inExchange(clock, s, x);
        }
        var clocks = s.limits.clocks();
        boolean head = s.phase == Phase.HEAD;
        return switch (clock) {
            case HEADER -> head && (s.headStarted || s.exchanges == 0) ? s.headSince + clocks.header() : NEVER;
            case KEEP_ALIVE -> head && !s.headStarted ? s.idleSince + clocks.keepAlive() : NEVER;
            case STOP_GRACE -> head && s.draining ? s.lastActivity + clocks.stopGrace() : NEVER;
            case LINGER -> s.phase == Phase.LINGER ? s.lingerUntil : NEVER;
            case EXCHANGE, BODY_IDLE, WRITE_IDLE, HEARTBEAT -> NEVER;
        };
    }

    private static long inExchange(Clock clock, ConnectionState s, CurrentExchange x) {
        var clocks = s.limits.clocks();
        return switch (clock) {
            case EXCHANGE -> x.running && !x.answered && x.flow == null && !s.gone ? x.deadline : NEVER;
            case BODY_IDLE -> waitsForBody(s, x) ? x.lastBodyByte + clocks.bodyIdle() : NEVER;
            case WRITE_IDLE -> !s.drained && !s.gone ? s.lastWrite + clocks.writeIdle() : NEVER;
            case HEARTBEAT -> x.flow == Flow.EVENTS && s.drained && !s.gone ? s.lastSent + clocks.heartbeat() : NEVER;
            case HEADER, KEEP_ALIVE, STOP_GRACE, LINGER -> NEVER;
        };
    }

    /// Back-pressure is the handler's doing, and a client that was told to wait owes nothing.
    private static boolean waitsForBody(ConnectionState s, CurrentExchange x) {
        return !x.body.done() && s.reading && !x.awaitingContinue && !s.gone && !(x.answered && x.close);
    }
}

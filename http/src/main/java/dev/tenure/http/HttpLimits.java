package dev.tenure.http;

import dev.tenure.host.ConfigurationError;
import java.time.Duration;

/// What a server takes, and how long each step may take. All are finite, positive, and checked before the first
/// accept.
///
/// **Threads:** immutable. **Source:** design 5.
///
/// @param header for a head, from its first byte, or the connection's start, to its last: 408
/// @param bodyIdle without a byte of a request body that is waited for: 408
/// @param writeIdle without a byte of the answer taken by the client: the connection is aborted
/// @param keepAlive for an idle connection
/// @param exchange from the head to a whole answer or the start of a stream: 504
/// @param heartbeat without an event on an event stream, after which a comment is sent
/// @param linger after our FIN, for what the client still sends
/// @param lineBytesMax of the request line (414) and each field line (431)
/// @param headBytesMax of a whole request head (431)
/// @param fieldsMax of a request head (431)
/// @param bodyBytesMax of a request body (413)
/// @param connectionsMax open at once; more wait in the backlog
/// @param exchangesMax in flight at once: 503
public record HttpLimits(
        Duration header,
        Duration bodyIdle,
        Duration writeIdle,
        Duration keepAlive,
        Duration exchange,
        Duration heartbeat,
        Duration linger,
        int lineBytesMax,
        int headBytesMax,
        int fieldsMax,
        long bodyBytesMax,
        int connectionsMax,
        int exchangesMax) {
    private static final Duration TIME_MAX = Duration.ofDays(1);
    private static final HttpLimits DEFAULTS = new HttpLimits(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(75),
            Duration.ofSeconds(60),
            Duration.ofSeconds(15),
            Duration.ofSeconds(2),
            8_192,
            32_768,
            100,
            1_048_576,
            8_192,
            4_096);

    /// Checks each limit.
    public HttpLimits {
        time("header", header);
        time("bodyIdle", bodyIdle);
        time("writeIdle", writeIdle);
        time("keepAlive", keepAlive);
        time("exchange", exchange);
        time("heartbeat", heartbeat);
        time("linger", linger);
        number("lineBytesMax", lineBytesMax, 64, 65_535);
        number("headBytesMax", headBytesMax, lineBytesMax, 65_535);
        number("fieldsMax", fieldsMax, 1, 10_000);
        number("bodyBytesMax", bodyBytesMax, 0, Long.MAX_VALUE);
        number("connectionsMax", connectionsMax, 1, 1_000_000);
        number("exchangesMax", exchangesMax, 1, 1_000_000);
    }

    private static void time(String key, Duration value) {
        if (!value.isPositive() || value.compareTo(TIME_MAX) > 0) {
            throw ConfigurationError.of("http " + key, value, "> 0 and <= 24 h");
        }
    }

    private static void number(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw ConfigurationError.of("http " + key, value, least + " to " + most);
        }
    }

    /// The defaults: header 10 s, body and write idle 30 s, keep-alive 75 s, exchange 60 s, heartbeat 15 s, linger 2
    /// s, line 8 KiB, head 32 KiB, 100 fields, body 1 MiB, 8192 connections, 4096 exchanges.
    ///
    /// @return the defaults
    public static HttpLimits defaults() {
        return DEFAULTS;
    }

    /// The same with other bytes of a request body.
    ///
    /// @param bytes at least 0
    /// @return the limits
    public HttpLimits withBodyBytesMax(long bytes) {
        return new HttpLimits(
                header,
                bodyIdle,
                writeIdle,
                keepAlive,
                exchange,
                heartbeat,
                linger,
                lineBytesMax,
                headBytesMax,
                fieldsMax,
                bytes,
                connectionsMax,
                exchangesMax);
    }

    /// The same with another time for a head.
    ///
    /// @param time more than 0
    /// @return the limits
    public HttpLimits withHeader(Duration time) {
        return new HttpLimits(
                time,
                bodyIdle,
                writeIdle,
                keepAlive,
                exchange,
                heartbeat,
                linger,
                lineBytesMax,
                headBytesMax,
                fieldsMax,
                bodyBytesMax,
                connectionsMax,
                exchangesMax);
    }

    /// The same with another time for an exchange.
    ///
    /// @param time more than 0
    /// @return the limits
    public HttpLimits withExchange(Duration time) {
        return new HttpLimits(
                header,
                bodyIdle,
                writeIdle,
                keepAlive,
                time,
                heartbeat,
                linger,
                lineBytesMax,
                headBytesMax,
                fieldsMax,
                bodyBytesMax,
                connectionsMax,
                exchangesMax);
    }

    /// The same with another time for an idle connection.
    ///
    /// @param time more than 0
    /// @return the limits
    public HttpLimits withKeepAlive(Duration time) {
        return new HttpLimits(
                header,
                bodyIdle,
                writeIdle,
                time,
                exchange,
                heartbeat,
                linger,
                lineBytesMax,
                headBytesMax,
                fieldsMax,
                bodyBytesMax,
                connectionsMax,
                exchangesMax);
    }

    /// The same with other times without progress.
    ///
    /// @param body of a request body
    /// @param write of an answer
    /// @return the limits
    public HttpLimits withIdle(Duration body, Duration write) {
        return new HttpLimits(
                header,
                body,
                write,
                keepAlive,
                exchange,
                heartbeat,
                linger,
                lineBytesMax,
                headBytesMax,
                fieldsMax,
                bodyBytesMax,
                connectionsMax,
                exchangesMax);
    }

    /// The same with other numbers of what may be open and in flight.
    ///
    /// @param connections open at once
    /// @param exchanges in flight at once
    /// @return the limits
    public HttpLimits withAdmission(int connections, int exchanges) {
        return new HttpLimits(
                header,
                bodyIdle,
                writeIdle,
                keepAlive,
                exchange,
                heartbeat,
                linger,
                lineBytesMax,
                headBytesMax,
                fieldsMax,
                bodyBytesMax,
                connections,
                exchanges);
    }
}

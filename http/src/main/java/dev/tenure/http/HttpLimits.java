package dev.tenure.http;

import dev.tenure.host.ConfigurationError;
import java.time.Duration;
import java.util.function.Consumer;

/// What a server takes, and how long each step may take. All are finite, positive, and checked when they are set,
/// which is before the first accept: `HttpLimits.defaults().withHeader(time).withBodyBytesMax(bytes)`.
///
/// **Threads:** immutable. **Limits:** times are more than 0 and at most 24 h. **Fails:** [ConfigurationError] for a
/// value out of its range. **Source:** design 5, ADR-0054 for the rate.
public final class HttpLimits {
    private static final Duration TIME_MAX = Duration.ofDays(1);
    private static final HttpLimits DEFAULTS = new HttpLimits(new Values());

    /// One set of values; it does not change any more once it is in use.
    private static final class Values {
        private Duration header = Duration.ofSeconds(10);
        private Duration bodyIdle = Duration.ofSeconds(30);
        private Duration writeIdle = Duration.ofSeconds(30);
        private Duration keepAlive = Duration.ofSeconds(75);
        private Duration exchange = Duration.ofSeconds(60);
        private Duration heartbeat = Duration.ofSeconds(15);
        private Duration linger = Duration.ofSeconds(2);
        private int lineBytesMax = 8_192;
        private int headBytesMax = 32_768;
        private int fieldsMax = 100;
        private long bodyBytesMax = 1_048_576;
        private long writeRateMin = 16_384;
        private int connectionsMax = 8_192;
        private int exchangesMax = 4_096;

        Values() {}

        Values(Values other) {
            header = other.header;
            bodyIdle = other.bodyIdle;
            writeIdle = other.writeIdle;
            keepAlive = other.keepAlive;
            exchange = other.exchange;
            heartbeat = other.heartbeat;
            linger = other.linger;
            lineBytesMax = other.lineBytesMax;
            headBytesMax = other.headBytesMax;
            fieldsMax = other.fieldsMax;
            bodyBytesMax = other.bodyBytesMax;
            writeRateMin = other.writeRateMin;
            connectionsMax = other.connectionsMax;
            exchangesMax = other.exchangesMax;
        }
    }

    private final Values v;

    private HttpLimits(Values values) {
        v = values;
        time("header", v.header);
        time("bodyIdle", v.bodyIdle);
        time("writeIdle", v.writeIdle);
        time("keepAlive", v.keepAlive);
        time("exchange", v.exchange);
        time("heartbeat", v.heartbeat);
        time("linger", v.linger);
        number("lineBytesMax", v.lineBytesMax, 64, 65_535);
        number("headBytesMax", v.headBytesMax, v.lineBytesMax, 65_535);
        number("fieldsMax", v.fieldsMax, 1, 10_000);
        number("bodyBytesMax", v.bodyBytesMax, 0, Long.MAX_VALUE);
        number("writeRateMin", v.writeRateMin, 1, 1_000_000_000);
        number("connectionsMax", v.connectionsMax, 1, 1_000_000);
        number("exchangesMax", v.exchangesMax, 1, 1_000_000);
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

    private HttpLimits with(Consumer<Values> change) {
        var other = new Values(v);
        change.accept(other);
        return new HttpLimits(other);
    }

    /// The defaults: header 10 s, body and write idle 30 s, keep-alive 75 s, exchange 60 s, heartbeat 15 s, linger 2
    /// s, line 8 KiB, head 32 KiB, 100 fields, body 1 MiB, write rate 16 KiB/s, 8192 connections, 4096 exchanges.
    ///
    /// @return the defaults
    public static HttpLimits defaults() {
        return DEFAULTS;
    }

    /// Time for a head, from its first byte, or the connection's start, to its last: 408.
    ///
    /// @return a duration
    public Duration header() {
        return v.header;
    }

    /// Time without a byte of a request body that is waited for: 408.
    ///
    /// @return a duration
    public Duration bodyIdle() {
        return v.bodyIdle;
    }

    /// Time in which a client that has an answer to take takes too little: see [#writeRateMin()].
    ///
    /// @return a duration
    public Duration writeIdle() {
        return v.writeIdle;
    }

    /// Time for an idle connection.
    ///
    /// @return a duration
    public Duration keepAlive() {
        return v.keepAlive;
    }

    /// Time from the head to a whole answer or the start of a stream: 504.
    ///
    /// @return a duration
    public Duration exchange() {
        return v.exchange;
    }

    /// Time without an event on an event stream, after which a comment is sent.
    ///
    /// @return a duration
    public Duration heartbeat() {
        return v.heartbeat;
    }

    /// Time after our FIN, for what the client still sends.
    ///
    /// @return a duration
    public Duration linger() {
        return v.linger;
    }

    /// Bytes of the request line (414) and each field line (431).
    ///
    /// @return a number
    public int lineBytesMax() {
        return v.lineBytesMax;
    }

    /// Bytes of a whole request head (431).
    ///
    /// @return a number
    public int headBytesMax() {
        return v.headBytesMax;
    }

    /// Fields of a request head (431).
    ///
    /// @return a number
    public int fieldsMax() {
        return v.fieldsMax;
    }

    /// Bytes of a request body (413).
    ///
    /// @return a number
    public long bodyBytesMax() {
        return v.bodyBytesMax;
    }

    /// What a client has to take of an answer that waits for it, measured over each [#writeIdle()]. Less, and the
    /// connection is aborted.
    ///
    /// @return bytes a second
    public long writeRateMin() {
        return v.writeRateMin;
    }

    /// Connections open at once; more wait in the backlog.
    ///
    /// @return a number
    public int connectionsMax() {
        return v.connectionsMax;
    }

    /// Exchanges in flight at once: 503.
    ///
    /// @return a number
    public int exchangesMax() {
        return v.exchangesMax;
    }

    /// The same with another time for a head.
    ///
    /// @param time more than 0, at most 24 h
    /// @return the limits
    public HttpLimits withHeader(Duration time) {
        return with(values -> values.header = time);
    }

    /// The same with another time without a byte of a request body.
    ///
    /// @param time more than 0, at most 24 h
    /// @return the limits
    public HttpLimits withBodyIdle(Duration time) {
        return with(values -> values.bodyIdle = time);
    }

    /// The same with another time over which an answer must be taken.
    ///
    /// @param time more than 0, at most 24 h
    /// @return the limits
    public HttpLimits withWriteIdle(Duration time) {
        return with(values -> values.writeIdle = time);
    }

    /// The same with another time for an idle connection.
    ///
    /// @param time more than 0, at most 24 h
    /// @return the limits
    public HttpLimits withKeepAlive(Duration time) {
        return with(values -> values.keepAlive = time);
    }

    /// The same with another time for an exchange.
    ///
    /// @param time more than 0, at most 24 h
    /// @return the limits
    public HttpLimits withExchange(Duration time) {
        return with(values -> values.exchange = time);
    }

    /// The same with another time between events.
    ///
    /// @param time more than 0, at most 24 h
    /// @return the limits
    public HttpLimits withHeartbeat(Duration time) {
        return with(values -> values.heartbeat = time);
    }

    /// The same with another time after our FIN.
    ///
    /// @param time more than 0, at most 24 h
    /// @return the limits
    public HttpLimits withLinger(Duration time) {
        return with(values -> values.linger = time);
    }

    /// The same with other bytes of a line.
    ///
    /// @param bytes 64 to 65535
    /// @return the limits
    public HttpLimits withLineBytesMax(int bytes) {
        return with(values -> values.lineBytesMax = bytes);
    }

    /// The same with other bytes of a head.
    ///
    /// @param bytes a line's limit to 65535
    /// @return the limits
    public HttpLimits withHeadBytesMax(int bytes) {
        return with(values -> values.headBytesMax = bytes);
    }

    /// The same with another number of fields.
    ///
    /// @param fields 1 to 10000
    /// @return the limits
    public HttpLimits withFieldsMax(int fields) {
        return with(values -> values.fieldsMax = fields);
    }

    /// The same with other bytes of a request body.
    ///
    /// @param bytes at least 0
    /// @return the limits
    public HttpLimits withBodyBytesMax(long bytes) {
        return with(values -> values.bodyBytesMax = bytes);
    }

    /// The same with another rate at which an answer must be taken.
    ///
    /// @param bytesPerSecond 1 to 1,000,000,000
    /// @return the limits
    public HttpLimits withWriteRateMin(long bytesPerSecond) {
        return with(values -> values.writeRateMin = bytesPerSecond);
    }

    /// The same with other numbers of what may be open and in flight.
    ///
    /// @param connections open at once, 1 to 1,000,000
    /// @param exchanges in flight at once, 1 to 1,000,000
    /// @return the limits
    public HttpLimits withAdmission(int connections, int exchanges) {
        return with(values -> {
            values.connectionsMax = connections;
            values.exchangesMax = exchanges;
        });
    }
}

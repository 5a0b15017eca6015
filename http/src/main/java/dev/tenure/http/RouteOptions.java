package dev.tenure.http;

import dev.tenure.host.ConfigurationError;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// How one route differs from the server's limits.
///
/// **Threads:** immutable. **Limits:** what is not set is the server's: see [HttpLimits].
///
/// @param onPeerGone what a client that goes does to the handler
/// @param bodyBytesMax what the request body may have; empty for the server's
/// @param deadline how long an exchange may take; empty for the server's
/// @param tooLarge what a client is told with 413 whose body has more; empty for a sentence with the number of bytes
public record RouteOptions(
        OnPeerGone onPeerGone, Optional<Long> bodyBytesMax, Optional<Duration> deadline, Optional<String> tooLarge) {
    /// What a client that goes does to the handler.
    public enum OnPeerGone {
        /// The handler is cancelled.
        CANCEL,
        /// The handler ends its work; its answer is dropped.
        CONTINUE
    }

    /// Checks the limits.
    public RouteOptions {
        Objects.requireNonNull(onPeerGone, "onPeerGone");
        bodyBytesMax.filter(max -> max < 0).ifPresent(max -> {
            throw ConfigurationError.of("route bodyBytesMax", max, ">= 0");
        });
        deadline.filter(time -> !time.isPositive()).ifPresent(time -> {
            throw ConfigurationError.of("route deadline", time, "> 0");
        });
        tooLarge.filter(sentence -> sentence.isBlank() || sentence.chars().anyMatch(Character::isISOControl))
                .ifPresent(sentence -> {
                    throw ConfigurationError.of("route tooLarge", "'" + sentence + "'", "one line, not blank");
                });
    }

    /// The server's limits; a client that goes cancels.
    ///
    /// @return the defaults
    public static RouteOptions defaults() {
        return new RouteOptions(OnPeerGone.CANCEL, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /// The same with another rule for clients that go.
    ///
    /// @param rule the rule
    /// @return the options
    public RouteOptions onPeerGone(OnPeerGone rule) {
        return new RouteOptions(rule, bodyBytesMax, deadline, tooLarge);
    }

    /// The same with another limit of the request body.
    ///
    /// @param bytes at least 0
    /// @return the options
    public RouteOptions bodyBytesMax(long bytes) {
        return new RouteOptions(onPeerGone, Optional.of(bytes), deadline, tooLarge);
    }

    /// The same with another limit of the request body, and what a client is told whose body has more, whether it
    /// announces that or not.
    ///
    /// @param bytes at least 0
    /// @param sentence one line, sent with 413
    /// @return the options
    public RouteOptions bodyBytesMax(long bytes, String sentence) {
        return new RouteOptions(onPeerGone, Optional.of(bytes), deadline, Optional.of(sentence));
    }

    /// The same with another deadline of the exchange.
    ///
    /// @param time from the request's head to the end of a whole answer, or to the start of a stream
    /// @return the options
    public RouteOptions deadline(Duration time) {
        return new RouteOptions(onPeerGone, bodyBytesMax, Optional.of(time), tooLarge);
    }
}

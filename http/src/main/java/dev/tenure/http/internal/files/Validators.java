package dev.tenure.http.internal.files;

import dev.tenure.http.internal.wire.HttpDates;
import dev.tenure.http.internal.wire.RequestHead;
import dev.tenure.http.internal.wire.ResponseHead;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Compares what a client has with what there is.
///
/// **Source:** RFC 9110 section 13.
///
/// @param etag with its quotes
/// @param lastModified to the second
public record Validators(Optional<String> etag, Optional<Instant> lastModified) {
    /// What an answer says of itself.
    ///
    /// @param head the answer
    /// @return its validators
    public static Validators of(ResponseHead head) {
        return new Validators(head.header("ETag"), head.header("Last-Modified").flatMap(HttpDates::parse));
    }

    /// Whether the client has it already: 304.
    ///
    /// @param request the request
    /// @return true if a condition says so; If-None-Match alone counts where it is given
    public boolean isKnownTo(RequestHead request) {
        List<String> tags = request.headers("If-None-Match");
        if (!tags.isEmpty()) {
            return etag.isPresent() && tags.stream().anyMatch(this::matchesAny);
        }
        Optional<Instant> since = request.header("If-Modified-Since").flatMap(HttpDates::parse);
        return since.isPresent()
                && lastModified.isPresent()
                && !lastModified.get().isAfter(since.get());
    }

    private boolean matchesAny(String field) {
        if (field.strip().equals("*")) {
            return true;
        }
        String own = etag.map(Validators::opaque).orElse("");
        return List.of(field.split(",")).stream()
                .map(tag -> opaque(tag.strip()))
                .anyMatch(own::equals);
    }

    private static String opaque(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    /// Whether a range may be served to this client.
    ///
    /// @param request the request
    /// @return false if it has a part of something else
    public boolean allowsRange(RequestHead request) {
        Optional<String> condition = request.header("If-Range");
        if (condition.isEmpty()) {
            return true;
        }
        String has = condition.get().strip();
        if (has.startsWith("\"")) {
            return etag.filter(has::equals).isPresent();
        }
        return HttpDates.parse(has)
                .flatMap(date -> lastModified.filter(date::equals))
                .isPresent();
    }
}

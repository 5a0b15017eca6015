package dev.tenure.http.internal.wire;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;

/// Dates as HTTP writes them. **Source:** RFC 9110 section 5.6.7; the two obsolete forms are not read.
public final class HttpDates {
    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private HttpDates() {}

    /// Writes a date.
    ///
    /// @param when seconds count
    /// @return such as `Sun, 06 Nov 1994 08:49:37 GMT`
    public static String format(Instant when) {
        return FORM.format(when);
    }

    /// Reads a date.
    ///
    /// @param text a field value
    /// @return empty for what is not such a date
    public static Optional<Instant> parse(String text) {
        try {
            return Optional.of(Instant.from(FORM.parse(text)));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }
}

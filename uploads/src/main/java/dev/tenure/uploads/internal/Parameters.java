package dev.tenure.uploads.internal;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A header value with parameters: `multipart/form-data; boundary="x"`.
///
/// Names are in lower case. **Source:** RFC 9110 section 5.6.6, with the quoting that browsers and curl use.
///
/// @param value what stands before the first semicolon, without blanks around it
/// @param named the parameters, their quotes taken off
public record Parameters(String value, Map<String, String> named) {
    /// Reads a header value; empty if it is not one value and well-formed, unrepeated parameters.
    ///
    /// @param text the value of a header field
    /// @return empty if it is malformed
    public static Optional<Parameters> parse(String text) {
        return new Reader(text).all();
    }

    /// Whether this is a character of a token (RFC 9110 section 5.6.2).
    static boolean isToken(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        Optional<Parameters> all() {
            var value = until(';').strip();
            var named = new LinkedHashMap<String, String>();
            while (at < text.length()) {
                at++; // the semicolon
                skipBlanks();
                if (at == text.length()) {
                    break; // one semicolon at the end is common and means nothing
                }
                if (!parameter(named)) {
                    return Optional.empty();
                }
            }
            return value.isEmpty() ? Optional.empty() : Optional.of(new Parameters(value, Map.copyOf(named)));
        }

        private boolean parameter(Map<String, String> named) {
            var name = token().toLowerCase(Locale.ROOT);
            if (name.isEmpty() || at == text.length() || text.charAt(at) != '=') {
                return false;
            }
            at++;
            var value = at < text.length() && text.charAt(at) == '"' ? quoted() : unquoted();
            skipBlanks();
            var ended = at == text.length() || text.charAt(at) == ';';
            return ended && value.isPresent() && named.put(name, value.get()) == null;
        }

        private Optional<String> unquoted() {
            var value = token();
            return value.isEmpty() ? Optional.empty() : Optional.of(value);
        }

        private Optional<String> quoted() {
            var value = new StringBuilder();
            for (at++; at < text.length(); at++) {
                var c = text.charAt(at);
                if (c == '"') {
                    at++;
                    return Optional.of(value.toString());
                }
                value.append(c == '\\' && escapes() ? text.charAt(++at) : c);
            }
            return Optional.empty();
        }

        // Only a quote or a backslash is ever escaped: browsers send other backslashes as they are.
        private boolean escapes() {
            return at + 1 < text.length() && (text.charAt(at + 1) == '"' || text.charAt(at + 1) == '\\');
        }

        private String token() {
            var from = at;
            while (at < text.length() && isToken(text.charAt(at))) {
                at++;
            }
            return text.substring(from, at);
        }

        private String until(char end) {
            var found = text.indexOf(end, at);
            var from = at;
            at = found < 0 ? text.length() : found;
            return text.substring(from, at);
        }

        private void skipBlanks() {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
                at++;
            }
        }
    }
}

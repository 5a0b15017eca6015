package dev.tenure.http.internal.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/// Status lines, made once. **Source:** RFC 9110 section 15.
public final class Reasons {
    private static final int FIRST = 100;
    private static final int LAST = 599;
    private static final byte[][] LINES = lines();

    private Reasons() {}

    private static byte[][] lines() {
        byte[][] lines = new byte[LAST - FIRST + 1][];
        for (int status = FIRST; status <= LAST; status++) {
            lines[status - FIRST] = ("HTTP/1.1 " + status + " " + phrase(status) + "\r\n").getBytes(ISO_8859_1);
        }
        return lines;
    }

    /// Not to be written to.
    static byte[] line(int status) {
        return LINES[status - FIRST];
    }

    /// The phrase that goes with a status.
    ///
    /// @param status 100 to 599
    /// @return empty if the status has none of its own
    public static String phrase(int status) {
        return status < 400 ? fine(status) : status < 500 ? clientFault(status) : serverFault(status);
    }

    private static String fine(int status) {
        return switch (status) {
            case 100 -> "Continue";
            case 101 -> "Switching Protocols";
            case 200 -> "OK";
            case 201 -> "Created";
            case 202 -> "Accepted";
            case 203 -> "Non-Authoritative Information";
            case 204 -> "No Content";
            case 205 -> "Reset Content";
            case 206 -> "Partial Content";
            case 300 -> "Multiple Choices";
            case 301 -> "Moved Permanently";
            case 302 -> "Found";
            case 303 -> "See Other";
            case 304 -> "Not Modified";
            case 307 -> "Temporary Redirect";
            case 308 -> "Permanent Redirect";
            default -> "";
        };
    }

    private static String clientFault(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 406 -> "Not Acceptable";
            case 408 -> "Request Timeout";
            case 409 -> "Conflict";
            case 410 -> "Gone";
            case 411 -> "Length Required";
            case 412 -> "Precondition Failed";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 415 -> "Unsupported Media Type";
            case 416 -> "Range Not Satisfiable";
            case 417 -> "Expectation Failed";
            case 421 -> "Misdirected Request";
            case 422 -> "Unprocessable Content";
            case 423 -> "Locked";
            case 425 -> "Too Early";
            case 426 -> "Upgrade Required";
            case 428 -> "Precondition Required";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            default -> "";
        };
    }

    private static String serverFault(int status) {
        return switch (status) {
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case 505 -> "HTTP Version Not Supported";
            case 507 -> "Insufficient Storage";
            default -> "";
        };
    }
}

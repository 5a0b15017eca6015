package dev.tenure.http.internal.wire;

/// What is refused whatever the limits are: one sentence for each shape, made once.
///
/// **Source:** RFC 9112 sections 2.2, 3, 5, 6 and 7; RFC 9110 section 10.1.1.
final class Refusals {
    // ---- lines ----
    static final Refusal STRAY_CR = Refusal.bad("the head has a CR that does not end a line");
    static final Refusal BARE_LF = Refusal.bad("a line of the head ends in a bare LF");
    static final Refusal CONTROL = Refusal.bad("the head has a control character");
    static final Refusal EMPTY_LINES = Refusal.bad("more than one empty line comes before the request line");

    // ---- the request line ----
    static final Refusal THREE_PARTS =
            Refusal.bad("the request line is not a method, a target and a version with one space between");
    static final Refusal NO_VERSION = Refusal.bad("the request line does not end in a version such as HTTP/1.1");
    static final Refusal OTHER_VERSION = new Refusal(505, "only HTTP/1.0 and HTTP/1.1 are spoken here");
    static final Refusal METHOD = Refusal.bad("the method is not a token");
    static final Refusal OTHER_METHOD = new Refusal(501, "the method is not known here");
    static final Refusal TARGET = Refusal.bad("the target has a character that no target has");
    static final Refusal TARGET_FORM = Refusal.bad("the target is neither a path nor an absolute http address");
    static final Refusal AUTHORITY = Refusal.bad("the absolute target has no host");

    // ---- fields ----
    static final Refusal FIELD = Refusal.bad("a field line does not begin with a name and a colon");
    static final Refusal FOLDED = Refusal.bad("a field line begins with a blank, and folded lines are not taken");
    static final Refusal BLANK_COLON = Refusal.bad("a field has a blank before its colon");
    static final Refusal NO_HOST = Refusal.bad("the Host field is missing");
    static final Refusal HOSTS = Refusal.bad("the Host field is there more than once");
    static final Refusal HOST = Refusal.bad("the Host field has a character that no host has");
    static final Refusal EXPECT = new Refusal(417, "only the expectation 100-continue can be met");

    // ---- where the body ends ----
    static final Refusal TWO_FRAMINGS = Refusal.bad("Transfer-Encoding and Content-Length are both there");
    static final Refusal CODING_10 = Refusal.bad("Transfer-Encoding is not for HTTP/1.0");
    static final Refusal LENGTHS = Refusal.bad("the Content-Length field is there more than once");
    static final Refusal LENGTH_SIZE = Refusal.bad("the Content-Length is empty or has more than 18 digits");
    static final Refusal LENGTH = Refusal.bad("the Content-Length is not a plain number");
    static final Refusal CODINGS = Refusal.bad("the Transfer-Encoding field is there more than once");
    static final Refusal NOT_CHUNKED = Refusal.bad("the Transfer-Encoding does not end in chunked, once");
    static final Refusal OTHER_CODING = new Refusal(501, "the only transfer coding taken is chunked");

    // ---- chunks ----
    static final Refusal NO_SIZE = Refusal.bad("a chunk has no size");
    static final Refusal SIZE = Refusal.bad("a chunk size is not a hexadecimal number");
    static final Refusal SIZE_DIGITS = Refusal.bad("a chunk size has more than 15 digits");
    static final Refusal CHUNK_END = Refusal.bad("a chunk or its line does not end in CR LF");
    static final Refusal EXTENSION = Refusal.bad("a chunk extension has a control character");
    static final Refusal CHUNK_LINE =
            Refusal.bad("a chunk line has more than " + WireLimits.CHUNK_LINE_BYTES_MAX + " bytes");
    static final Refusal TRAILER = Refusal.bad("a trailer line does not begin with a name and a colon");
    static final Refusal TRAILER_CONTROL = Refusal.bad("a trailer has a control character");
    static final Refusal TRAILERS =
            new Refusal(431, "there are more than " + WireLimits.TRAILER_FIELDS_MAX + " trailer fields");
    static final Refusal TRAILER_BYTES =
            new Refusal(431, "the trailers have more than " + WireLimits.TRAILER_BYTES_MAX + " bytes");

    private Refusals() {}
}

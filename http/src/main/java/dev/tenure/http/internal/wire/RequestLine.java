package dev.tenure.http.internal.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/// The first line of a request, parsed strictly: one space each, no blanks around, one of our versions.
///
/// @param method the token
/// @param target in origin form, or `*`
/// @param http11 false for HTTP/1.0
record RequestLine(String method, String target, boolean http11) {
    private static final String[] COMMON = {"GET", "POST", "PUT", "HEAD", "DELETE", "PATCH", "OPTIONS"};
    private static final int VERSION_LENGTH = "HTTP/1.1".length();

    /// Signals a line that is refused; caught in this package alone.
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Refusal refusal;

        Refused(Refusal refusal) {
            super(refusal.why(), null, false, false);
            this.refusal = refusal;
        }

        Refusal refusal() {
            return refusal;
        }
    }

    static RequestLine parse(byte[] bytes, int from, int to) throws Refused {
        int methodTo = indexOfSpace(bytes, from, to);
        int targetTo = indexOfSpace(bytes, methodTo + 1, to);
        boolean http11 = version(bytes, targetTo + 1, to);
        String method = method(bytes, from, methodTo);
        return new RequestLine(method, target(bytes, methodTo + 1, targetTo, method), http11);
    }

    private static int indexOfSpace(byte[] bytes, int from, int to) throws Refused {
        for (int i = from; i < to; i++) {
            if (bytes[i] == ' ') {
                return i;
            }
        }
        throw bad("the request line has fewer than three parts");
    }

    private static boolean version(byte[] bytes, int from, int to) throws Refused {
        if (to - from != VERSION_LENGTH || !Syntax.same(bytes, from, from + 5, "http/") || bytes[from] != 'H') {
            throw bad("the request line does not end in a version");
        }
        byte major = bytes[from + 5];
        byte minor = bytes[from + 7];
        if (!isDigit(major) || !isDigit(minor) || bytes[from + 6] != '.') {
            throw bad("the version is malformed");
        }
        if (major != '1') {
            throw new Refused(new Refusal(505, "only HTTP/1.0 and HTTP/1.1 are spoken here"));
        }
        return minor != '0';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static String method(byte[] bytes, int from, int to) throws Refused {
        for (String common : COMMON) {
            if (common.length() == to - from && matches(bytes, from, common)) {
                return common;
            }
        }
        for (int i = from; i < to; i++) {
            if (!Syntax.isToken(bytes[i])) {
                throw bad("the method is not a token");
            }
        }
        if (from == to) {
            throw bad("the method is empty");
        }
        throw new Refused(new Refusal(501, "the method is not known here"));
    }

    private static boolean matches(byte[] bytes, int from, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (bytes[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static String target(byte[] bytes, int from, int to, String method) throws Refused {
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b <= ' ' || b == '#' || b == '\\' || b == 0x7f) {
                throw bad("the target has a character that no target has");
            }
        }
        String target = new String(bytes, from, to - from, ISO_8859_1);
        if (target.startsWith("/")) {
            return target;
        }
        if (target.equals("*") && method.equals("OPTIONS")) {
            return target;
        }
        return ofAbsolute(target);
    }

    private static String ofAbsolute(String target) throws Refused {
        int authority = target.regionMatches(true, 0, "http://", 0, 7)
                ? 7
                : target.regionMatches(true, 0, "https://", 0, 8) ? 8 : -1;
        if (authority < 0) {
            throw bad("the target is neither a path nor an absolute http address");
        }
        int path = authority;
        while (path < target.length() && target.charAt(path) != '/' && target.charAt(path) != '?') {
            path++;
        }
        if (path == authority) {
            throw bad("the absolute target has no authority");
        }
        if (path == target.length()) {
            return "/";
        }
        return target.charAt(path) == '/' ? target.substring(path) : "/" + target.substring(path);
    }

    private static Refused bad(String why) {
        return new Refused(Refusal.bad(why));
    }
}

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
        throw new Refused(Refusals.THREE_PARTS);
    }

    private static boolean hasSpace(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == ' ') {
                return true;
            }
        }
        return false;
    }

    private static boolean version(byte[] bytes, int from, int to) throws Refused {
        if (to - from != VERSION_LENGTH || !Syntax.same(bytes, from, from + 5, "http/") || bytes[from] != 'H') {
            throw new Refused(hasSpace(bytes, from, to) ? Refusals.THREE_PARTS : Refusals.NO_VERSION);
        }
        byte major = bytes[from + 5];
        byte minor = bytes[from + 7];
        if (!isDigit(major) || !isDigit(minor) || bytes[from + 6] != '.') {
            throw new Refused(Refusals.NO_VERSION);
        }
        if (major != '1') {
            throw new Refused(Refusals.OTHER_VERSION);
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
                throw new Refused(Refusals.METHOD);
            }
        }
        if (from == to) {
            throw new Refused(Refusals.THREE_PARTS);
        }
        throw new Refused(Refusals.OTHER_METHOD);
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
                throw new Refused(Refusals.TARGET);
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
            throw new Refused(Refusals.TARGET_FORM);
        }
        int path = authority;
        while (path < target.length() && target.charAt(path) != '/' && target.charAt(path) != '?') {
            path++;
        }
        if (path == authority) {
            throw new Refused(Refusals.AUTHORITY);
        }
        if (path == target.length()) {
            return "/";
        }
        return target.charAt(path) == '/' ? target.substring(path) : "/" + target.substring(path);
    }
}

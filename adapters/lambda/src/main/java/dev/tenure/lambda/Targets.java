package dev.tenure.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;

/// Makes targets of what events have. Function URLs give a path as it was sent, HTTP APIs give it decoded, and nothing
/// says which: so what can stand in an encoded path stays, and what cannot is encoded.
///
/// **Source:** RFC 3986 section 3.3.
final class Targets {
    private static final String PATH = "-._~!$&'()*+,;=:@/";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Targets() {}

    static String path(String text) {
        return encoded(text, PATH);
    }

    static String query(String text) {
        return encoded(text, PATH + "?");
    }

    private static String encoded(String text, String plain) {
        var out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            int next = i + Character.charCount(c);
            if (isPlain(c, plain) || (c == '%' && isTriplet(text, i))) {
                out.append((char) c);
            } else {
                encode(text.substring(i, next), out);
            }
            i = next;
        }
        return out.toString();
    }

    private static void encode(String one, StringBuilder out) {
        for (byte octet : one.getBytes(UTF_8)) {
            out.append('%').append(HEX.toHexDigits(octet));
        }
    }

    private static boolean isPlain(int c, String plain) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || plain.indexOf(c) >= 0;
    }

    private static boolean isTriplet(String text, int at) {
        return at + 2 < text.length()
                && HexFormat.isHexDigit(text.charAt(at + 1))
                && HexFormat.isHexDigit(text.charAt(at + 2));
    }
}

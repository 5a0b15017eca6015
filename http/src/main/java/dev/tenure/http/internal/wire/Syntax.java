package dev.tenure.http.internal.wire;

/// The character classes of HTTP/1.1. **Source:** RFC 9110 section 5.6, RFC 9112 section 2.
public final class Syntax {
    private static final boolean[] TOKEN = table("!#$%&'*+-.^_`|~");
    private static final boolean[] HOST = table("-._~%!$&'()*+,;=:[]");

    private Syntax() {}

    private static boolean[] table(String extra) {
        boolean[] table = new boolean[128];
        for (char c = '0'; c <= '9'; c++) {
            table[c] = true;
        }
        for (char c = 'a'; c <= 'z'; c++) {
            table[c] = true;
            table[c - 32] = true;
        }
        for (int i = 0; i < extra.length(); i++) {
            table[extra.charAt(i)] = true;
        }
        return table;
    }

    /// Whether a byte may stand in a token: a method or a field name.
    static boolean isToken(byte b) {
        return b >= 0 && TOKEN[b];
    }

    /// Whether a byte may stand in the Host field.
    static boolean isHost(byte b) {
        return b >= 0 && HOST[b];
    }

    /// Whether a text is a token.
    ///
    /// @param text a method or field name
    /// @return false for the empty text, too
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 127 || !TOKEN[c]) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /// Whether a text may be sent as a field value: visible Latin-1, spaces and tabs, no CR, LF, NUL or other
    /// control.
    ///
    /// @param text the value
    /// @return whether it can be sent as it is
    public static boolean isFieldValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0xff || (c < ' ' && c != '\t') || c == 0x7f) {
                return false;
            }
        }
        return true;
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    /// Compares bytes with a lower-case word, ignoring case.
    static boolean same(byte[] bytes, int from, int to, String lowerCase) {
        if (to - from != lowerCase.length()) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (lower(bytes[i]) != lowerCase.charAt(i - from)) {
                return false;
            }
        }
        return true;
    }
}

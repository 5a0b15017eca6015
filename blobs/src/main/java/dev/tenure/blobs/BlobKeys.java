package dev.tenure.blobs;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.Supplier;

/// Makes keys, and knows what one looks like: 48 hexadecimal digits, so that a key can be a file name anywhere.
///
/// A final key begins with 64 random bits of the process that placed it; 128 more are its own. Within a process two
/// placings never race for one key: see [Placement].
final class BlobKeys {
    static final String EXPECTED = "48 digits of 0-9a-f";

    private static final int LENGTH = 48;
    private static final int SHARD_LENGTH = 2;
    private static final int RANDOM_BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final Supplier<String> finals;

    BlobKeys(String processId) {
        this.finals = () -> processId + hex(RANDOM_BYTES);
    }

    /// With final keys of a test's choice.
    BlobKeys(Supplier<String> finals) {
        this.finals = finals;
    }

    String nextTemporary() {
        return hex(LENGTH / 2);
    }

    String nextFinal() {
        return finals.get();
    }

    private String hex(int bytes) {
        var raw = new byte[bytes];
        random.nextBytes(raw);
        return HexFormat.of().formatHex(raw);
    }

    static boolean isKey(String text) {
        return text.length() == LENGTH && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }

    /// The directory of a key; from its random end, so that they fill evenly.
    static String shard(String key) {
        return key.substring(LENGTH - SHARD_LENGTH);
    }
}

package dev.tenure.blobs;

import dev.tenure.host.ConfigurationError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// What a builder was told, complete and valid.
record BlobSettings(
        String name,
        Path root,
        Duration grace,
        Optional<Duration> every,
        int batch,
        Optional<ReferencedKeys> referenced) {
    static final Duration GRACE = Duration.ofMinutes(15);
    static final int BATCH = 500;

    private static final Duration LONGEST = Duration.ofDays(365);
    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(100);
    private static final Duration USUAL_PERIOD_MIN = Duration.ofSeconds(1);
    private static final Duration USUAL_PERIOD_MAX = Duration.ofMinutes(15);
    private static final int BATCH_MAX = 10_000;

    static BlobSettings defaults(Path root) {
        return new BlobSettings("blobs", root, GRACE, Optional.empty(), BATCH, Optional.empty());
    }

    BlobSettings named(String name) {
        if (name.isBlank()) {
            throw ConfigurationError.of("blobs.name", "'" + name + "'", "not blank");
        }
        return new BlobSettings(name, root, grace, every, batch, referenced);
    }

    BlobSettings grace(Duration grace) {
        check("reclaimGrace", grace, Duration.ZERO);
        return new BlobSettings(name, root, grace, every, batch, referenced);
    }

    BlobSettings every(Duration every) {
        check("reclaimEvery", every, SHORTEST_PERIOD);
        return new BlobSettings(name, root, grace, Optional.of(every), batch, referenced);
    }

    BlobSettings batch(int batch) {
        if (batch < 1 || batch > BATCH_MAX) {
            throw ConfigurationError.of(name + ".reclaimBatch", batch, "1 to " + BATCH_MAX);
        }
        return new BlobSettings(name, root, grace, every, batch, referenced);
    }

    BlobSettings referenced(ReferencedKeys callback) {
        return new BlobSettings(name, root, grace, every, batch, Optional.of(callback));
    }

    /// The period as given, or the grace age within bounds: a blob is then gone within two grace ages.
    Duration period() {
        return every.orElseGet(() -> longer(USUAL_PERIOD_MIN, shorter(USUAL_PERIOD_MAX, grace)));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private void check(String key, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            var range = least.toMillis() + " ms to " + LONGEST.toDays() + " days";
            throw ConfigurationError.of(name + "." + key, value, range);
        }
    }
}

package dev.tenure.uploads;

import dev.tenure.host.ConfigurationError;
import dev.tenure.uploads.internal.MultipartLimits;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// What a builder was told, each value valid.
record UploadSettings(
        String name,
        Path directory,
        int partsMax,
        int partHeadBytesMax,
        long partBytesMax,
        OptionalLong totalBytesMax,
        Optional<String> partTooLarge) {
    static final int PARTS_MAX = 100;
    static final int PART_HEAD_BYTES_MAX = 8 * 1024;
    static final long PART_BYTES_MAX = 1024 * 1024;
    static final int TOTAL_IN_PARTS = 8;

    private static final int PARTS_LIMIT = 10_000;
    private static final int PART_HEAD_BYTES_LEAST = 128;
    private static final int PART_HEAD_BYTES_LIMIT = 64 * 1024;
    private static final long BYTES_LIMIT = 1L << 40;

    static UploadSettings defaults(Path directory) {
        return new UploadSettings(
                "uploads",
                directory,
                PARTS_MAX,
                PART_HEAD_BYTES_MAX,
                PART_BYTES_MAX,
                OptionalLong.empty(),
                Optional.empty());
    }

    UploadSettings named(String name) {
        if (name.isBlank()) {
            throw ConfigurationError.of("uploads.name", "'" + name + "'", "not blank");
        }
        return new UploadSettings(
                name, directory, partsMax, partHeadBytesMax, partBytesMax, totalBytesMax, partTooLarge);
    }

    UploadSettings partsMax(int parts) {
        check("partsMax", parts, 1, PARTS_LIMIT);
        return new UploadSettings(name, directory, parts, partHeadBytesMax, partBytesMax, totalBytesMax, partTooLarge);
    }

    UploadSettings partHeadBytesMax(int bytes) {
        check("partHeadBytesMax", bytes, PART_HEAD_BYTES_LEAST, PART_HEAD_BYTES_LIMIT);
        return new UploadSettings(name, directory, partsMax, bytes, partBytesMax, totalBytesMax, partTooLarge);
    }

    UploadSettings partBytesMax(long bytes, Optional<String> sentence) {
        check("partBytesMax", bytes, 1, BYTES_LIMIT);
        sentence.filter(text -> text.isBlank() || text.chars().anyMatch(Character::isISOControl))
                .ifPresent(text -> {
                    throw ConfigurationError.of(name + ".partBytesMax", "'" + text + "'", "one line, not blank");
                });
        return new UploadSettings(name, directory, partsMax, partHeadBytesMax, bytes, totalBytesMax, sentence);
    }

    UploadSettings totalBytesMax(long bytes) {
        check("totalBytesMax", bytes, 1, BYTES_LIMIT);
        return new UploadSettings(
                name, directory, partsMax, partHeadBytesMax, partBytesMax, OptionalLong.of(bytes), partTooLarge);
    }

    /// The limits as a whole; what contradicts itself is refused here.
    MultipartLimits limits() {
        var total = totalBytesMax.orElse(partBytesMax * TOTAL_IN_PARTS);
        if (total < partBytesMax) {
            throw ConfigurationError.of(name + ".totalBytesMax", total, ">= partBytesMax, " + partBytesMax);
        }
        return new MultipartLimits(partsMax, partHeadBytesMax, partBytesMax, total, partTooLarge);
    }

    private void check(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw ConfigurationError.of(name + "." + key, value, least + " to " + most);
        }
    }
}

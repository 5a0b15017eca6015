package dev.tenure.examples.photos;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// Names a photo: 32 hexadecimal digits, chosen at random.
record PhotoId(String text) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{32}");

    static PhotoId random() {
        return new PhotoId(UUID.randomUUID().toString().replace("-", ""));
    }

    /// The id in a path, or nothing if no photo can have that id.
    static Optional<PhotoId> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new PhotoId(text)) : Optional.empty();
    }

    @Override
    public String toString() {
        return text;
    }
}

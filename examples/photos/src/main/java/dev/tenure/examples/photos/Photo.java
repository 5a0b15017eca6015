package dev.tenure.examples.photos;

import dev.tenure.examples.photos.image.ImageFacts;
import dev.tenure.examples.photos.image.ImageKind;
import java.time.Instant;
import java.util.List;

/// One row of the gallery.
record Photo(PhotoId id, Original original, String blob, State state, Instant addedAt) {
    /// What was uploaded; width and height are those of the upright picture.
    record Original(String name, ImageKind kind, int width, int height, long bytes) {
        private static final int NAME_CHARACTERS_MAX = 200;

        static Original of(String filename, ImageFacts facts, long bytes) {
            return new Original(named(filename), facts.kind(), facts.uprightWidth(), facts.uprightHeight(), bytes);
        }

        /// A client's filename is only a caption: its last part, without what cannot be shown.
        private static String named(String filename) {
            var name = filename.substring(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
                    .replaceAll("\\p{Cc}", "")
                    .strip();
            var shown = name.isEmpty() ? "photo" : name;
            return shown.substring(
                    0,
                    shown.offsetByCodePoints(
                            0, Math.min(NAME_CHARACTERS_MAX, shown.codePointCount(0, shown.length()))));
        }
    }

    /// What became of the thumbnail.
    sealed interface State {}

    /// A job will make it.
    record Processing() implements State {}

    /// It is there, under that key.
    record Ready(String blob) implements State {}

    /// There will be none.
    record Failed(String reason) implements State {}

    /// The blobs that belong to it.
    List<String> blobs() {
        return state instanceof Ready(String thumb) ? List.of(blob, thumb) : List.of(blob);
    }

    Photo with(State other) {
        return new Photo(id, original, blob, other, addedAt);
    }

    /// What the page gets to see.
    View view() {
        return switch (state) {
            case Processing _ -> view("processing", "");
            case Ready _ -> view("ready", "");
            case Failed(String reason) -> view("failed", reason);
        };
    }

    private View view(String stateName, String reason) {
        return new View(
                id.text(),
                original.name(),
                original.kind().mediaType(),
                original.width(),
                original.height(),
                original.bytes(),
                stateName,
                reason,
                addedAt.toString());
    }

    /// A photo in JSON.
    record View(
            String id,
            String name,
            String type,
            int width,
            int height,
            long bytes,
            String state,
            String reason,
            String addedAt) {}

    /// A deleted photo in JSON.
    record Gone(String id) {}
}

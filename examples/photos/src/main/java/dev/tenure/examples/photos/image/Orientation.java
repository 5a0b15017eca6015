package dev.tenure.examples.photos.image;

import java.util.Arrays;

/// Where the first stored row and column of a picture belong when it is shown upright.
///
/// **Threads:** any. **Source:** Exif 2.32, tag 0x0112.
public enum Orientation {
    /// Stored as shown.
    UPRIGHT(1),
    /// Stored as in a mirror.
    MIRRORED(2),
    /// Stored upside down.
    UPSIDE_DOWN(3),
    /// Stored upside down, as in a mirror.
    FLIPPED(4),
    /// Rows and columns exchanged.
    TRANSPOSED(5),
    /// To be turned a quarter clockwise.
    QUARTER_RIGHT(6),
    /// Rows and columns exchanged, counted from the far corner.
    TRANSVERSED(7),
    /// To be turned a quarter counterclockwise.
    QUARTER_LEFT(8);

    private final int exifValue;

    Orientation(int exifValue) {
        this.exifValue = exifValue;
    }

    /// The orientation with that Exif value; anything out of 1 to 8 counts as [#UPRIGHT].
    static Orientation ofExif(int value) {
        return Arrays.stream(values())
                .filter(orientation -> orientation.exifValue == value)
                .findFirst()
                .orElse(UPRIGHT);
    }

    /// Whether width and height change places.
    ///
    /// @return true for a quarter turn, mirrored or not
    public boolean isSideways() {
        return exifValue >= TRANSPOSED.exifValue;
    }

    /// The same picture with its pixels where a viewer shows them.
    Pixels upright(Pixels stored) {
        if (this == UPRIGHT) {
            return stored;
        }
        int width = isSideways() ? stored.height() : stored.width();
        int height = isSideways() ? stored.width() : stored.height();
        var shown = Pixels.blank(width, height);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                shown.set(x, y, source(stored, x, y));
            }
        }
        return shown;
    }

    private int source(Pixels stored, int x, int y) {
        int right = stored.width() - 1;
        int bottom = stored.height() - 1;
        return switch (this) {
            case UPRIGHT -> stored.get(x, y);
            case MIRRORED -> stored.get(right - x, y);
            case UPSIDE_DOWN -> stored.get(right - x, bottom - y);
            case FLIPPED -> stored.get(x, bottom - y);
            case TRANSPOSED -> stored.get(y, x);
            case QUARTER_RIGHT -> stored.get(y, bottom - x);
            case TRANSVERSED -> stored.get(right - y, bottom - x);
            case QUARTER_LEFT -> stored.get(right - y, x);
        };
    }
}

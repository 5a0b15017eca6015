package dev.tenure.examples.photos.image;

/// The file is neither a JPEG nor a PNG, or of a sort that no decoder of the JDK reads.
public final class UnsupportedImage extends ImageRefused {
    private static final long serialVersionUID = 1L;

    UnsupportedImage(String message) {
        super(message);
    }
}

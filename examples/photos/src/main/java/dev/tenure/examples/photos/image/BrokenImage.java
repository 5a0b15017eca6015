package dev.tenure.examples.photos.image;

/// The file has the signature of a JPEG or PNG, and is truncated or damaged.
public final class BrokenImage extends ImageRefused {
    private static final long serialVersionUID = 1L;

    BrokenImage(String message) {
        super(message);
    }

    BrokenImage(String message, Throwable cause) {
        super(message, cause);
    }
}

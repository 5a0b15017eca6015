package dev.tenure.examples.photos.image;

/// A file that is no picture for this gallery; the message says why in words for its uploader.
///
/// **Fails:** a failed read is an `IOException` instead, and says nothing about the picture.
public abstract sealed class ImageRefused extends RuntimeException
        permits BrokenImage, UnsupportedImage, OversizedImage {
    private static final long serialVersionUID = 1L;

    ImageRefused(String message) {
        super(message);
    }

    ImageRefused(String message, Throwable cause) {
        super(message, cause);
    }
}

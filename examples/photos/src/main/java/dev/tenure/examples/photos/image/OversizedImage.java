package dev.tenure.examples.photos.image;

/// The picture has more pixels than the gallery takes.
public final class OversizedImage extends ImageRefused {
    private static final long serialVersionUID = 1L;

    OversizedImage(String message) {
        super(message);
    }
}

package dev.tenure.examples.photos.image;

/// The two kinds of picture that the gallery takes.
///
/// **Threads:** any.
public enum ImageKind {
    /// Baseline, extended and progressive JPEG with Huffman coding and 8 bits a sample.
    JPEG("image/jpeg"),
    /// Every PNG of the specification; of an animated one the first picture.
    PNG("image/png");

    private final String mediaType;

    ImageKind(String mediaType) {
        this.mediaType = mediaType;
    }

    /// What a response that carries such a picture says in `Content-Type`.
    ///
    /// @return type and subtype
    public String mediaType() {
        return mediaType;
    }
}

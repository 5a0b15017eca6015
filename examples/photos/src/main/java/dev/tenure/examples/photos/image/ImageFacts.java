package dev.tenure.examples.photos.image;

/// What a whole picture says about itself: kind, pixels as stored, and how a viewer has to turn it.
///
/// **Threads:** any.
///
/// @param kind the format of the file
/// @param width the pixels of a stored row
/// @param height the number of stored rows
/// @param orientation how a viewer turns the stored picture
public record ImageFacts(ImageKind kind, int width, int height, Orientation orientation) {
    /// The width of the picture as a viewer shows it.
    ///
    /// @return pixels
    public int uprightWidth() {
        return orientation.isSideways() ? height : width;
    }

    /// The height of the picture as a viewer shows it.
    ///
    /// @return pixels
    public int uprightHeight() {
        return orientation.isSideways() ? width : height;
    }
}

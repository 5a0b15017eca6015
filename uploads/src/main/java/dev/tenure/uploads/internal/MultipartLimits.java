package dev.tenure.uploads.internal;

import java.util.Optional;

/// The limits that a [MultipartParser] enforces; the values were validated by whoever configured them.
///
/// @param partsMax parts in a body
/// @param partHeadBytesMax bytes in the head of a part, with its line ends
/// @param partBytesMax bytes in the content of a part
/// @param totalBytesMax bytes in the body
/// @param partTooLarge what a client is told whose part has more; empty for a sentence with the number of bytes
public record MultipartLimits(
        int partsMax, int partHeadBytesMax, long partBytesMax, long totalBytesMax, Optional<String> partTooLarge) {
    /// Limits that are told by their numbers.
    ///
    /// @param partsMax parts in a body
    /// @param partHeadBytesMax bytes in the head of a part, with its line ends
    /// @param partBytesMax bytes in the content of a part
    /// @param totalBytesMax bytes in the body
    public MultipartLimits(int partsMax, int partHeadBytesMax, long partBytesMax, long totalBytesMax) {
        this(partsMax, partHeadBytesMax, partBytesMax, totalBytesMax, Optional.empty());
    }
}

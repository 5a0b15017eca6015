package dev.tenure.uploads.internal;

/// The limits that a [MultipartParser] enforces; the values were validated by whoever configured them.
///
/// @param partsMax parts in a body
/// @param partHeadBytesMax bytes in the head of a part, with its line ends
/// @param partBytesMax bytes in the content of a part
/// @param totalBytesMax bytes in the body
public record MultipartLimits(int partsMax, int partHeadBytesMax, long partBytesMax, long totalBytesMax) {}

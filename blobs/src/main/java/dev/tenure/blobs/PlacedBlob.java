package dev.tenure.blobs;

/// Bytes under their final key, to which nobody refers yet.
///
/// **Owner:** the scope it was placed in, until a transaction refers to the key and has committed. **Ends:** by
/// [Blobs#settle], [Blobs#discard] or [Blobs#leave]; with its scope it is discarded, or left if a commit was under
/// way.
///
/// @param key the final key; letters and digits only
/// @param bytes how many bytes it has
public record PlacedBlob(String key, long bytes) {}

package dev.tenure.blobs;

/// Bytes that are durable under a temporary key which nobody else can see.
///
/// **Owner:** the scope it was staged in. **Ends:** placed by [Blobs#place], or discarded with its scope.
///
/// @param key the temporary key
/// @param bytes how many bytes it has
public record StagedBlob(String key, long bytes) {}

package dev.tenure.uploads;

/// Takes the parts of an upload one by one.
@FunctionalInterface
public interface PartConsumer {
    /// Uses a part. What it opens into the current scope ends before the file goes.
    ///
    /// @param part complete; its file is gone when this returns
    /// @throws Exception ends the upload, after the file is gone
    void accept(Part part) throws Exception;
}

package dev.tenure.uploads;

/// Takes the parts of an upload one by one.
///
/// **Owner:** the part's file is lent for the call and goes before the next part. **Threads:** the
/// upload's. **Fails:** what it throws ends the upload and is thrown by [Uploads#eachPart]. **Source:**
/// H18.
@FunctionalInterface
public interface PartConsumer {
    /// Uses a part. What it opens into the current scope ends before the file goes.
    ///
    /// @param part complete; its file is gone when this returns
    /// @throws Exception ends the upload, after the file is gone
    void accept(Part part) throws Exception;
}

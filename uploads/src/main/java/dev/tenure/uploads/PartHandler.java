package dev.tenure.uploads;

import dev.tenure.http.Response;

/// Answers an upload of one part.
///
/// **Owner:** the part's file is lent for the call and goes after it. **Threads:** the upload's.
/// **Fails:** what it throws is thrown by [Uploads#onePart], once the file is gone. **Source:** H18.
@FunctionalInterface
public interface PartHandler {
    /// Uses the part. What it opens into the current scope ends before the file goes.
    ///
    /// @param part complete; its file is gone when this returns
    /// @return the answer
    /// @throws Exception after the file is gone
    Response handle(Part part) throws Exception;
}

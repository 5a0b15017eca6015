package dev.tenure.uploads;

import java.nio.file.Path;
import java.util.Optional;

/// One complete part of a multipart body.
///
/// **Owner:** the upload; a callback borrows it. **Ends:** when the callback returns or throws: the file is gone
/// then. Copy or publish what is to stay inside the callback. **Threads:** the callback's, and tasks it joins.
public interface Part {
    /// The name of the form field.
    ///
    /// @return may be empty
    String name();

    /// What the client calls its file: metadata, of any content. Never use it as a path.
    ///
    /// @return empty if the client named none
    Optional<String> filename();

    /// What the client says the content is. Unchecked.
    ///
    /// @return `text/plain` if the client said nothing
    String contentType();

    /// The content, in a file that only this process's user can read. It may be renamed away within the callback.
    ///
    /// @return the file
    /// @throws IllegalStateException after the callback
    Path file();

    /// The length of the content.
    ///
    /// @return bytes
    long size();
}

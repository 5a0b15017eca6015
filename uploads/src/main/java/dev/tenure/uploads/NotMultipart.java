package dev.tenure.uploads;

/// The request is not `multipart/form-data`: 415.
///
/// **Threads:** the upload's. **Held:** nothing: no byte of the body was read. **Source:** RFC 7578.
public final class NotMultipart extends UploadException {
    private static final long serialVersionUID = 1L;

    NotMultipart(String why) {
        super(415, why, why, null);
    }
}

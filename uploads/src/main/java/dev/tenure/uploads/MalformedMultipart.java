package dev.tenure.uploads;

/// The body is not what RFC 7578 and RFC 2046 allow, or ends too early: 400.
///
/// **Threads:** the upload's. **Held:** nothing: the part's file is gone. **Source:** ADR-0033.
public final class MalformedMultipart extends UploadException {
    private static final long serialVersionUID = 1L;

    MalformedMultipart(String why) {
        super(400, why, why, null);
    }
}

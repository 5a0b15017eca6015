package dev.tenure.uploads;

/// The process stops and its uploads take nothing more: 503.
///
/// **Threads:** the upload's. **Held:** nothing: no byte of the body was read. **Source:** ADR-0032.
public final class UploadsClosed extends UploadException {
    private static final long serialVersionUID = 1L;

    UploadsClosed(String name) {
        super(
                503,
                "the server is stopping",
                "%s: an upload was refused: it is closed; it is disposed of after the requests have drained"
                        .formatted(name),
                null);
    }
}

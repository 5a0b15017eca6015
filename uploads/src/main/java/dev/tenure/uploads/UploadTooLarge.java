package dev.tenure.uploads;

/// The body is over a limit of its uploads: 413.
///
/// **Threads:** the upload's. **Held:** nothing: the part's file is gone. **Limits:** see
/// [UploadsBuilder]. **Source:** H18.
public final class UploadTooLarge extends UploadException {
    private static final long serialVersionUID = 1L;

    UploadTooLarge(String why) {
        super(413, why, why, null);
    }
}

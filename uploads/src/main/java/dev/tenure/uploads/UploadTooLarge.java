package dev.tenure.uploads;

/// The body is over a limit of its uploads: 413.
public final class UploadTooLarge extends UploadException {
    private static final long serialVersionUID = 1L;

    UploadTooLarge(String why) {
        super(413, why, why, null);
    }
}

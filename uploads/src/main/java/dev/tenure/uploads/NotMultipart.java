package dev.tenure.uploads;

/// The request is not `multipart/form-data`: 415.
public final class NotMultipart extends UploadException {
    private static final long serialVersionUID = 1L;

    NotMultipart(String why) {
        super(415, why, why, null);
    }
}

package dev.tenure.uploads;

import dev.tenure.http.HttpStatusException;
import org.jspecify.annotations.Nullable;

/// Why an upload was refused or failed: the cause of the [HttpStatusException] that a handler sees. It
/// is never thrown to a handler itself, so that an unmapped one is answered with its status: catch that
/// one and look at its cause.
///
/// **Threads:** immutable. **Fails:** the family is sealed: a `switch` over a cause knows all.
/// **Source:** ADR-0032.
public abstract sealed class UploadException extends RuntimeException
        permits MalformedMultipart,
                NotMultipart,
                UploadTooLarge,
                UploadsClosed,
                UploadStorageFull,
                UploadStorageUnavailable {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String detail;

    UploadException(int status, String detail, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
        this.detail = detail;
    }

    /// The status of the answer.
    ///
    /// @return 400, 413, 415, 503 or 507
    public int status() {
        return status;
    }

    HttpStatusException asAnswer() {
        return new HttpStatusException(status, detail, this);
    }
}

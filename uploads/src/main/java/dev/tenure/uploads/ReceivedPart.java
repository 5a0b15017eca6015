package dev.tenure.uploads;

import dev.tenure.core.Scope;
import dev.tenure.uploads.internal.PartHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A part with its file, for as long as its scope is open.
final class ReceivedPart implements Part {
    private final PartHead head;

    // Written by the thread of the upload before the callback runs.
    private @Nullable PartFile file;

    private volatile boolean over;

    ReceivedPart(PartHead head) {
        this.head = head;
    }

    void writtenTo(PartFile created) {
        file = created;
    }

    private PartFile written() {
        var created = file;
        if (created == null) {
            throw new IllegalStateException("part '" + head.name() + "' has no file yet");
        }
        return created;
    }

    void write(PartFiles files, ByteBuffer content) {
        try {
            written().write(content);
        } catch (IOException e) {
            throw files.fault(written().path(), written().bytes(), e);
        }
    }

    void complete(PartFiles files) {
        try {
            written().complete();
        } catch (IOException e) {
            throw files.fault(written().path(), written().bytes(), e);
        }
    }

    Optional<IOException> removalFailure() {
        return Optional.ofNullable(file).flatMap(PartFile::removalFailure);
    }

    /// Ends the part; a file that is still there goes to the scope around it.
    void leaveTo(PartFiles files, Scope around) {
        over = true;
        if (file != null) {
            files.leaveTo(around, file);
        }
    }

    @Override
    public String name() {
        return head.name();
    }

    @Override
    public Optional<String> filename() {
        return head.filename();
    }

    @Override
    public String contentType() {
        return head.contentType();
    }

    @Override
    public Path file() {
        if (over) {
            throw new IllegalStateException(
                    "part '%s': its file is gone since its callback ended: copy or publish it inside the callback"
                            .formatted(head.name()));
        }
        return written().path();
    }

    @Override
    public long size() {
        return written().bytes();
    }
}

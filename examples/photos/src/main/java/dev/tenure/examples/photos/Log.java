package dev.tenure.examples.photos;

import dev.tenure.blobs.BlobException;
import dev.tenure.core.CloseReport;
import dev.tenure.core.Observer;
import dev.tenure.db.DatabaseException;
import dev.tenure.http.HttpStatusException;
import dev.tenure.publish.PublishUnknown;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes what no caller is told of to the log: with its stack, unless its message says it all.
final class Log implements Observer {
    private static final Logger LOG = LoggerFactory.getLogger("photos");

    @Override
    public void failed(String owner, Throwable failure) {
        switch (failure) {
            case HttpStatusException answer
            when answer.getCause() != null ->
                LOG.warn("{}: {}", owner, answer.getCause().getMessage());
            case PublishUnknown known -> LOG.warn("{}: {}", owner, known.getMessage());
            case DatabaseException known -> LOG.warn("{}: {}", owner, known.getMessage());
            case BlobException known -> LOG.warn("{}: {}", owner, known.getMessage());
            default -> LOG.warn("{}", owner, failure);
        }
    }

    @Override
    public void overdue(CloseReport report) {
        for (var holder : report.pending()) {
            LOG.warn(
                    "{}: {} has not ended after {} ms",
                    report.owner(),
                    holder.what(),
                    holder.age().toMillis());
        }
    }
}

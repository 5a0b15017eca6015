package dev.tenure.examples.photos;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Observer;
import dev.tenure.http.HttpStatusException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes what no caller is told of to the log: with its stack, unless it was answered with a status on purpose.
final class Log implements Observer {
    private static final Logger LOG = LoggerFactory.getLogger("photos");

    @Override
    public void failed(String owner, Throwable failure) {
        if (failure instanceof HttpStatusException answer && answer.getCause() != null) {
            LOG.warn("{}: {}: {}", owner, answer.status(), answer.getCause().getMessage());
        } else {
            LOG.warn("{}", owner, failure);
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

package dev.tenure.uploads;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Observer;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.host.Component;
import dev.tenure.host.Host;
import dev.tenure.host.Phase;
import dev.tenure.host.ProcessDirectory;
import dev.tenure.host.Stop;
import dev.tenure.http.Exchange;
import dev.tenure.http.Response;
import dev.tenure.uploads.internal.MultipartLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Receives `multipart/form-data`, each part in a file that exists only while its callback runs.
///
/// **Owner:** the host; a part's file is owned by a scope of its own inside the caller's. **Ends:** the
/// file before the next part's callback and on every other way out; at a cancel the callback's cleanups
/// end first, then the file goes, then the exchange ends. A file that can't be removed is counted,
/// tried again at the end of the caller's scope and when this closes, and removed at the latest by the
/// next process. **States** of a part: `WRITING -> COMPLETE -> REMOVED | LEFT`. **Threads:** any; one
/// upload stays on its thread. **Limits:** see [UploadsBuilder]. **Fails:**
/// [dev.tenure.http.HttpStatusException], which answers by itself if it is thrown on, and whose cause
/// is the [UploadException] that says why: `catch (HttpStatusException e)` and look at `e.getCause()`,
/// for `catch (UploadTooLarge e)` never sees it; what the callback throws. **Source:** RFC 7578, RFC
/// 2046 section 5.1; design 7; ADR-0032.
public final class Uploads implements Component {
    private final String name;
    private final MultipartLimits limits;
    private final ProcessDirectory directory;
    private final Observer observer;
    private final Timers timers;
    private final TimeSource clock;
    private final LiveParts live;
    private final PartFiles files;

    /// Guarded by this.
    private @Nullable CloseReport ended;

    Uploads(MultipartLimits limits, PartFiles.Place place, ProcessDirectory directory, Host host) {
        this.name = place.owner();
        this.limits = limits;
        this.directory = directory;
        this.observer = host.observer();
        this.timers = host.timers();
        this.clock = host.timeSource();
        this.live = new LiveParts(clock);
        this.files = new PartFiles(place, live, observer);
    }

    /// Uploads through a directory, which is made if it is missing. Opens nothing yet.
    ///
    /// @param directory on a local file system, best on that of the blobs; several processes may share
    /// it
    /// @return the settings, to be given to a host
    public static UploadsBuilder in(Path directory) {
        return new UploadsBuilder(directory);
    }

    Uploads sweptAtStart() {
        try {
            var swept = directory.sweep();
            if (!swept.failures().isEmpty()) {
                observer.failed(
                        name, new IOException("left by dead processes, and could not be removed: " + swept.failures()));
            }
        } catch (IOException e) {
            observer.failed(name, e);
        }
        return this;
    }

    /// Receives a body with one part of the given field, and answers by the handler, which is called
    /// only when the whole body has come. Parts of other fields are read and dropped; a missing or
    /// repeated field is refused with 400.
    ///
    /// @param exchange nothing of its body must have been read
    /// @param field the name of the form field
    /// @param handler called at most once
    /// @return the handler's answer
    /// @throws Exception as the handler does
    public Response onePart(Exchange exchange, String field, PartHandler handler) throws Exception {
        try (var upload = open(exchange)) {
            return upload.onePart(field, handler);
        } catch (UploadException refused) {
            throw refused.asAnswer();
        }
    }

    /// Receives a body part by part. A callback runs as soon as its part is complete, before the next
    /// is read, so parts before a broken one have been handed out when it shows.
    ///
    /// @param exchange nothing of its body must have been read
    /// @param consumer called once for each part, in order
    /// @throws Exception as the consumer does
    public void eachPart(Exchange exchange, PartConsumer consumer) throws Exception {
        try (var upload = open(exchange)) {
            upload.eachPart(consumer);
        } catch (UploadException refused) {
            throw refused.asAnswer();
        }
    }

    private Upload open(Exchange exchange) {
        var upload = new Upload(exchange, limits, files, live);
        if (!live.admit(upload, exchange.route())) {
            throw new UploadsClosed(name);
        }
        return upload;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Phase> phases() {
        return Set.of(Phase.DISPOSE_DEPENDENCIES);
    }

    @Override
    public void enter(Phase phase, Stop stop) throws IOException {
        for (var failed : close(stop.deadline()).failures()) {
            throw new IOException(failed.what() + ": " + failed.failure(), failed.failure());
        }
    }

    /// Refuses new uploads, waits for those under way, then removes this process's directory. For
    /// tests; a host does the same in its phase.
    ///
    /// @param deadline bounds the wait
    /// @return the final report, the same for every caller: `FAILED` if files are left for the next
    /// process; or an `OVERDUE` one that names the uploads which still go on and keep the directory
    public CloseReport close(Deadline deadline) {
        var started = clock.nanos();
        live.seal();
        return live.awaitNone(deadline, timers)
                ? ended(started)
                : new CloseReport(name, CloseReport.Status.OVERDUE, 0, List.of(), live.holders(), since(started));
    }

    private synchronized CloseReport ended(long started) {
        if (ended == null) {
            var failures = List.<CloseReport.Failure>of();
            live.left().forEach(files::retry);
            try {
                directory.close();
                live.forgetLeft();
            } catch (IOException | RuntimeException e) {
                failures = List.of(new CloseReport.Failure(directory.path().toString(), e));
            }
            var status = failures.isEmpty() ? CloseReport.Status.CLEAN : CloseReport.Status.FAILED;
            ended = new CloseReport(name, status, 1, failures, List.of(), since(started));
        }
        return Objects.requireNonNull(ended);
    }

    private Duration since(long started) {
        return Duration.ofNanos(clock.nanos() - started);
    }

    @Override
    public List<Holder> holders() {
        return live.holders();
    }

    @Override
    public Map<String, Long> counts() {
        return live.counts();
    }
}

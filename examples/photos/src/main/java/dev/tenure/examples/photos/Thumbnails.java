package dev.tenure.examples.photos;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tenure.blobs.Blobs;
import dev.tenure.core.Cancelled;
import dev.tenure.core.Probe;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Threads;
import dev.tenure.db.Database;
import dev.tenure.db.Transaction;
import dev.tenure.examples.photos.image.BrokenImage;
import dev.tenure.examples.photos.image.Thumbnailer;
import dev.tenure.jobs.JobCodec;
import dev.tenure.jobs.JobHandler;
import dev.tenure.jobs.JobPolicy;
import dev.tenure.jobs.JobRun;
import dev.tenure.jobs.JobType;
import dev.tenure.publish.Publisher;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/// Makes the thumbnail of a photo, and says so in the row in the transaction that ends the job.
///
/// **Owner:** the worker. **Threads:** each job its own; the decoding, which is native code, has a platform thread.
/// **Fails:** a picture that no decoder reads is `failed` at once, anything else after the last attempt. The
/// thumbnail of a photo that was deleted meanwhile is discarded.
final class Thumbnails implements JobHandler<PhotoId> {
    static final JobType<PhotoId> THUMBNAIL = JobType.of("thumbnail", new Ids());
    static final JobPolicy POLICY = JobPolicy.standard().attemptsMax(5).runMax(Duration.ofMinutes(5));

    private static final Supervisor.Options ON_PLATFORM_THREADS =
            Supervisor.Options.DEFAULT.with(new PlatformOnly(Threads.system()));
    private static final int SIDE_PIXELS_MAX = 320;

    private final Database database;
    private final Blobs blobs;
    private final Publisher publisher;
    private final PhotoTable photos;
    private final Thumbnailer thumbnailer = new Thumbnailer(SIDE_PIXELS_MAX);

    Thumbnails(Database database, Blobs blobs, PhotoTable photos) {
        this.database = database;
        this.blobs = blobs;
        this.photos = photos;
        this.publisher = Publisher.of(database, blobs);
    }

    /// Half of the processors, since requests need the others, and at most two, since each decode takes memory.
    static int atOnce() {
        return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 2);
    }

    @Override
    public void run(JobRun run, PhotoId id) throws Exception {
        var photo = database.withReader(sql -> photos.find(sql, id));
        if (photo.isPresent()) {
            Probe.before("thumbnail", "photo");
            makeOrDiscard(run, photo.get());
            Probe.after("thumbnail", "photo");
        }
    }

    private void makeOrDiscard(JobRun run, Photo photo) throws Exception {
        try {
            if (run.isLast()) {
                giveUpBeforehand(run, photo);
            }
            make(run, photo);
        } catch (PhotoGone discarded) {
            // deleted while this ran: the thumbnail went with the transaction
        }
    }

    /// If the process dies in the last attempt too, nobody comes back to say so.
    private void giveUpBeforehand(JobRun run, Photo photo) throws Exception {
        var reason = "%d attempts to make the thumbnail ended without one".formatted(run.attempt());
        database.inTransaction(tx -> settled(tx, photo.with(new Photo.Failed(reason))))
                .orThrow();
    }

    private void make(JobRun run, Photo photo) throws Exception {
        try {
            byte[] jpeg = Probe.around("decode", "photo", () -> decoded(photo));
            publisher.publish(new ByteArrayInputStream(jpeg), (tx, blob) -> {
                end(run, tx, photo.with(new Photo.Ready(blob.key())));
            });
        } catch (BrokenImage damaged) {
            giveUp(run, photo, damaged);
        } catch (Cancelled | PhotoGone noFailure) {
            throw noFailure;
        } catch (Exception failure) {
            if (run.isLast()) {
                giveUp(run, photo, failure);
            }
            throw failure;
        }
    }

    /// Decodes on a platform thread: native code would hold a carrier, and two of them all virtual threads.
    private byte[] decoded(Photo photo) throws Exception {
        try (var decoding = Supervisor.open("decode", ON_PLATFORM_THREADS)) {
            return decoding.fork("decode", () -> decode(photo)).get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private byte[] decode(Photo photo) throws Exception {
        try (var picture = blobs.open(photo.blob())) {
            return thumbnailer.jpeg(picture.get());
        }
    }

    private void giveUp(JobRun run, Photo photo, Exception failure) throws Exception {
        var reason = String.valueOf(failure.getMessage());
        database.inTransaction(tx -> {
                    end(run, tx, photo.with(new Photo.Failed(reason)));
                    return photo.id();
                })
                .orThrow();
    }

    private void end(JobRun run, Transaction tx, Photo ended) throws Exception {
        Probe.around("row", "thumbnail", () -> settled(tx, ended));
        run.complete(tx);
    }

    private Photo settled(Transaction tx, Photo photo) throws Exception {
        if (!photos.settle(tx, photo)) {
            throw new PhotoGone(photo.id());
        }
        return photo;
    }

    /// The photo was deleted, or has its thumbnail, by the time this one was made.
    private static final class PhotoGone extends Exception {
        private static final long serialVersionUID = 1L;

        PhotoGone(PhotoId id) {
            super("photo " + id + " is gone or has its thumbnail");
        }
    }

    private record Ids() implements JobCodec<PhotoId> {
        @Override
        public byte[] encode(PhotoId id) {
            return id.text().getBytes(US_ASCII);
        }

        @Override
        public PhotoId decode(byte[] stored) {
            return new PhotoId(new String(stored, US_ASCII));
        }
    }

    private record PlatformOnly(Threads threads) implements Threads {
        @Override
        public Thread startVirtual(String name, Runnable body) {
            return threads.startPlatform(name, body);
        }

        @Override
        public Thread startPlatform(String name, Runnable body) {
            return threads.startPlatform(name, body);
        }

        @Override
        public Thread unstartedPlatform(String name, Runnable body) {
            return threads.unstartedPlatform(name, body);
        }
    }
}

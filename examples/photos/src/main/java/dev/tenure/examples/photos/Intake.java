package dev.tenure.examples.photos;

import static dev.tenure.examples.photos.Thumbnails.THUMBNAIL;

import dev.tenure.examples.photos.image.ImageCheck;
import dev.tenure.http.Exchange;
import dev.tenure.http.Response;
import dev.tenure.http.RouteOptions;
import dev.tenure.http.RouteSource;
import dev.tenure.jobs.Jobs;
import dev.tenure.publish.Publisher;
import dev.tenure.uploads.Uploads;
import java.time.Duration;

/// Takes uploads.
///
/// **Owner:** the server. The part file is the upload's until the callback returns, the blob the request's until the
/// commit, the job the worker's from then on. **Threads:** any.
final class Intake {
    /// What a form has beside its photo.
    private static final long FORM_BYTES_MAX = 64 << 10;
    private static final Duration UPLOAD_TIME_MAX = Duration.ofMinutes(15);

    private final Publisher publisher;
    private final Jobs jobs;
    private final Uploads uploads;
    private final PhotoTable photos;

    Intake(Publisher publisher, Jobs jobs, Uploads uploads, PhotoTable photos) {
        this.publisher = publisher;
        this.jobs = jobs;
        this.uploads = uploads;
        this.photos = photos;
    }

    /// What a client is told whose photo is too large, whether the form announces it, grows to it, or has such a part.
    static String limitWords(Quantities.Size photoMax) {
        return "a photo may have at most " + photoMax;
    }

    /// The route, for photos up to a size.
    RouteSource upTo(Quantities.Size photoMax) {
        var options = RouteOptions.defaults()
                .bodyBytesMax(photoMax.bytes() + FORM_BYTES_MAX, limitWords(photoMax))
                .deadline(UPLOAD_TIME_MAX);
        return routes -> routes.post("/photos", options, this::upload);
    }

    private record Created(String id) {}

    private Response upload(Exchange exchange) throws Exception {
        return uploads.onePart(exchange, "photo", part -> {
            var facts = ImageCheck.whole(part.file());
            var original = Photo.Original.of(part.filename().orElse(""), facts, part.size());
            var id = PhotoId.random();
            publisher.publish(part.file(), (tx, blob) -> {
                photos.insert(tx, id, original, blob.key());
                jobs.enqueue(tx, THUMBNAIL.of(id).keyed(id.text()));
            });
            return Response.created("/photos/" + id).json(new Created(id.text()));
        });
    }
}

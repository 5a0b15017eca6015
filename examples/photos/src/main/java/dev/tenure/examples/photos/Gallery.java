package dev.tenure.examples.photos;

import static dev.tenure.examples.photos.Thumbnails.THUMBNAIL;

import dev.tenure.blobs.BlobException;
import dev.tenure.blobs.Blobs;
import dev.tenure.db.Database;
import dev.tenure.examples.photos.image.ImageKind;
import dev.tenure.http.Exchange;
import dev.tenure.http.HttpStatusException;
import dev.tenure.http.Response;
import dev.tenure.http.RouteSource;
import dev.tenure.http.Routes;
import dev.tenure.http.StaticFiles;
import dev.tenure.jobs.Jobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The page, the photos, and their end.
///
/// **Owner:** the server. An open photo belongs to its exchange, until the last byte is sent. **Threads:** any.
final class Gallery implements RouteSource {
    private static final Logger LOG = LoggerFactory.getLogger(Gallery.class);

    private final Database database;
    private final Blobs blobs;
    private final Jobs jobs;
    private final PhotoTable photos;

    Gallery(Database database, Blobs blobs, Jobs jobs, PhotoTable photos) {
        this.database = database;
        this.blobs = blobs;
        this.jobs = jobs;
        this.photos = photos;
    }

    @Override
    public void routes(Routes routes) {
        routes.get("/photos", Answers.from(this::list))
                .get("/photos/{id}", Answers.from(this::show))
                .get("/photos/{id}/thumb", Answers.from(this::thumb))
                .delete("/photos/{id}", Answers.from(this::delete))
                .get("/{path...}", StaticFiles.onClassPath("web"));
    }

    private Response list(Exchange exchange) throws Exception {
        var all = database.withReader(photos::list);
        return Response.ok()
                .header("Cache-Control", "no-cache")
                .json(all.stream().map(Photo::view).toList());
    }

    private Response show(Exchange exchange) throws Exception {
        var photo = found(exchange);
        return file(photo.blob(), photo.original().kind());
    }

    private Response thumb(Exchange exchange) throws Exception {
        return switch (found(exchange).state()) {
            case Photo.Ready(String blob) -> file(blob, ImageKind.JPEG);
            case Photo.Processing _ ->
                Response.status(404).header("Retry-After", "1").text("no thumbnail yet");
            case Photo.Failed(String reason) -> Response.status(404).text("no thumbnail: " + reason);
        };
    }

    /// A blob never changes under its key, so its key is its tag.
    private Response file(String blob, ImageKind kind) {
        return Response.ok()
                .type(kind.mediaType())
                .etag(blob)
                .header("Cache-Control", "private, no-cache")
                .header("X-Content-Type-Options", "nosniff")
                .file(blobs.open(blob));
    }

    private Photo found(Exchange exchange) throws Exception {
        var id = id(exchange);
        return database.withReader(sql -> photos.find(sql, id)).orElseThrow(Gallery::noSuchPhoto);
    }

    /// Row and job go in one transaction; a thumbnail that is being made finds neither and is discarded.
    private Response delete(Exchange exchange) throws Exception {
        var id = id(exchange);
        var photo = database.inTransaction(tx -> {
                    jobs.cancel(tx, THUMBNAIL, id.text());
                    return photos.delete(tx, id);
                })
                .orThrow()
                .orElseThrow(Gallery::noSuchPhoto);
        photo.blobs().forEach(this::deleteBlob);
        return Response.status(204).empty();
    }

    /// Nobody refers to it any more: what cannot be deleted now is the reclaimer's.
    private void deleteBlob(String blob) {
        try {
            blobs.delete(blob);
        } catch (BlobException failure) {
            LOG.warn("blob {} is left to the reclaimer: {}", blob, failure.getMessage());
        }
    }

    private static PhotoId id(Exchange exchange) {
        return PhotoId.parse(exchange.path("id")).orElseThrow(Gallery::noSuchPhoto);
    }

    private static HttpStatusException noSuchPhoto() {
        return new HttpStatusException(404, "no such photo");
    }
}

package dev.tenure.examples.photos;

import static dev.tenure.examples.photos.Thumbnails.THUMBNAIL;

import dev.tenure.blobs.BlobException;
import dev.tenure.blobs.Blobs;
import dev.tenure.db.Database;
import dev.tenure.examples.photos.image.ImageKind;
import dev.tenure.http.Exchange;
import dev.tenure.http.Response;
import dev.tenure.http.RouteSource;
import dev.tenure.http.Routes;
import dev.tenure.http.StaticFiles;
import dev.tenure.jobs.Jobs;
import java.util.Optional;
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
        routes.get("/photos", this::list)
                .get("/photos/{id}", this::show)
                .get("/photos/{id}/thumb", this::thumb)
                .delete("/photos/{id}", this::delete)
                .get("/{path...}", StaticFiles.onClassPath("web"));
    }

    private Response list(Exchange exchange) throws Exception {
        var all = database.withReader(photos::list);
        return Response.ok()
                .header("Cache-Control", "no-cache")
                .json(all.stream().map(Photo::view).toList());
    }

    private Response show(Exchange exchange) throws Exception {
        return found(exchange)
                .map(photo -> file(photo.blob(), photo.original().kind()))
                .orElseGet(Answers::noSuchPhoto);
    }

    private Response thumb(Exchange exchange) throws Exception {
        return found(exchange).map(this::thumb).orElseGet(Answers::noSuchPhoto);
    }

    private Response thumb(Photo photo) {
        return switch (photo.state()) {
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

    private Optional<Photo> found(Exchange exchange) throws Exception {
        var id = PhotoId.parse(exchange.path("id"));
        return id.isEmpty() ? Optional.empty() : database.withReader(sql -> photos.find(sql, id.get()));
    }

    private Response delete(Exchange exchange) throws Exception {
        var id = PhotoId.parse(exchange.path("id"));
        return id.isPresent() && delete(id.get()) ? Response.status(204).empty() : Answers.noSuchPhoto();
    }

    /// Row and job go in one transaction; a thumbnail that is being made finds neither and is discarded.
    private boolean delete(PhotoId id) throws Exception {
        var deleted = database.inTransaction(tx -> {
                    jobs.cancel(tx, THUMBNAIL, id.text());
                    return photos.delete(tx, id);
                })
                .orThrow();
        deleted.ifPresent(photo -> photo.blobs().forEach(this::deleteBlob));
        return deleted.isPresent();
    }

    /// Nobody refers to it any more: what cannot be deleted now is the reclaimer's.
    private void deleteBlob(String blob) {
        try {
            blobs.delete(blob);
        } catch (BlobException failure) {
            LOG.warn("blob {} is left to the reclaimer: {}", blob, failure.getMessage());
        }
    }
}

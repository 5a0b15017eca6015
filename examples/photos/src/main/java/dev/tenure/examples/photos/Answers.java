package dev.tenure.examples.photos;

import dev.tenure.blobs.BlobException;
import dev.tenure.blobs.BlobStorageFull;
import dev.tenure.blobs.NoSuchBlob;
import dev.tenure.db.DatabaseException;
import dev.tenure.db.StorageUnavailable;
import dev.tenure.examples.photos.image.BrokenImage;
import dev.tenure.examples.photos.image.ImageRefused;
import dev.tenure.examples.photos.image.OversizedImage;
import dev.tenure.examples.photos.image.UnsupportedImage;
import dev.tenure.http.HttpServerBuilder;
import dev.tenure.http.Response;
import dev.tenure.publish.PublishUnknown;

/// What a client is told of what the picture check and the stores refuse. The server's observer is told of a 5xx.
final class Answers {
    private Answers() {}

    static HttpServerBuilder of(HttpServerBuilder server) {
        return server.mapping(ImageRefused.class, Answers::refused)
                .mapping(NoSuchBlob.class, _ -> noSuchPhoto())
                .mapping(BlobException.class, Answers::unavailable)
                .mapping(DatabaseException.class, Answers::unavailable)
                .mapping(PublishUnknown.class, Answers::unavailable);
    }

    static Response noSuchPhoto() {
        return text(404, "no such photo");
    }

    private static Response refused(ImageRefused refused) {
        int status = switch (refused) {
            case UnsupportedImage _ -> 415;
            case BrokenImage _, OversizedImage _ -> 422;
        };
        return text(status, String.valueOf(refused.getMessage()));
    }

    private static Response unavailable(RuntimeException failure) {
        return isFull(failure)
                ? text(507, "the server has no room for this photo")
                : text(503, "the server cannot store or read photos now");
    }

    private static boolean isFull(RuntimeException failure) {
        return failure instanceof BlobStorageFull
                || (failure instanceof StorageUnavailable storage && storage.kind() == StorageUnavailable.Kind.FULL);
    }

    private static Response text(int status, String sentence) {
        return Response.status(status).text(status + " " + sentence + "\n");
    }
}

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
import dev.tenure.http.Handler;
import dev.tenure.http.HttpStatusException;
import dev.tenure.publish.PublishUnknown;

/// Turns what the picture check and the stores refuse into a status. The cause of a 5xx goes to the log, by the
/// server's observer.
final class Answers {
    private Answers() {}

    /// The same handler with a status for each refusal.
    static Handler from(Handler handler) {
        return exchange -> {
            try {
                return handler.handle(exchange);
            } catch (ImageRefused refused) {
                throw new HttpStatusException(status(refused), sentence(refused), refused);
            } catch (NoSuchBlob gone) {
                throw new HttpStatusException(404, "no such photo", gone);
            } catch (BlobException | DatabaseException | PublishUnknown failure) {
                throw unavailable(failure);
            }
        };
    }

    private static int status(ImageRefused refused) {
        return switch (refused) {
            case UnsupportedImage _ -> 415;
            case BrokenImage _, OversizedImage _ -> 422;
        };
    }

    private static String sentence(ImageRefused refused) {
        return String.valueOf(refused.getMessage());
    }

    private static HttpStatusException unavailable(RuntimeException failure) {
        return isFull(failure)
                ? new HttpStatusException(507, "the server has no room for this photo", failure)
                : new HttpStatusException(503, "the server cannot store or read photos now", failure);
    }

    private static boolean isFull(RuntimeException failure) {
        return failure instanceof BlobStorageFull
                || (failure instanceof StorageUnavailable storage && storage.kind() == StorageUnavailable.Kind.FULL);
    }
}

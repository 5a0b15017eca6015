package dev.tenure.blobs;

import dev.tenure.core.Scope;
import dev.tenure.core.Staged;
import java.time.Instant;

/// One placing: claims a free key, moves the staged file there, and takes it back if anything after that fails.
final class Placement {
    private final DirectoryBlobs.Store store;
    private final Uses uses;
    private final String key;
    private boolean moved;

    private Placement(DirectoryBlobs.Store store, Uses uses, String key) {
        this.store = store;
        this.uses = uses;
        this.key = key;
    }

    /// Claims a key: it is recorded before its file appears, so that the reclaimer never takes that for an orphan.
    static Placement claim(DirectoryBlobs.Store store, Uses uses, Scope into) {
        while (true) {
            var key = store.keys().nextFinal();
            if (uses.enter(key, new Uses.Use(Uses.Kind.PLACED, key, into.name()))) {
                if (!store.objects().exists(key)) {
                    return new Placement(store, uses, key);
                }
                uses.exit(key);
            }
        }
    }

    PlacedBlob place(Staged<StagedBlob> staged, Instant now) {
        try {
            return staged.publish(blob -> move(blob, now));
        } catch (Throwable failure) {
            takeBack(failure);
            throw failure;
        }
    }

    private PlacedBlob move(StagedBlob blob, Instant now) {
        try {
            store.objects().place(store.staging().file(blob.key()), key, now);
        } catch (Throwable failure) {
            throw new Staged.NotPublished(failure);
        }
        moved = true;
        uses.exit(blob.key());
        return new PlacedBlob(key, blob.bytes());
    }

    private void takeBack(Throwable failure) {
        try {
            if (moved) {
                store.objects().delete("discard", key);
            }
        } catch (BlobException cleanup) {
            failure.addSuppressed(cleanup); // the reclaimer deletes it
        } finally {
            uses.exit(key);
        }
    }
}

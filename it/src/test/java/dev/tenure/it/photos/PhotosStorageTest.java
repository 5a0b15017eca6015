package dev.tenure.it.photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A data directory that is full, or that takes no more writes: mounts of the process's own, which end with it.
class PhotosStorageTest {
    private static final long FILE_BYTES_MAX = 128 << 10;
    private static final byte[] PHOTO = Pictures.png(2000, 1500);

    @TempDir
    Path folder;

    @Test
    void upload_diskFull_isRefusedAndLeavesNothing() throws Exception {
        try (var photos = startOnSmallDisk();
                var client = new PhotosClient(photos)) {
            var taken = new HashSet<String>();
            for (byte[] picture : List.of(PHOTO, Pictures.png(64, 48), Pictures.png(1, 1))) {
                var response = client.upload("photo.png", picture);
                while (response.statusCode() == 201) {
                    taken.add(response.headers().firstValue("Location").orElseThrow());
                    assertThat(taken).as("photos on a small disk").hasSizeLessThan(5_000);
                    response = client.upload("photo.png", picture);
                }
                assertThat(response.statusCode()).as(response.body()).isEqualTo(507);
            }
            assertThat(photos.errors()).containsPattern("answer 507 of POST /photos .*(no space left|disk is full)");
            assertThat(taken).isNotEmpty();
            assertThat(locations(client)).isEqualTo(taken);
            assertThat(inside(photos).leftovers()).isEmpty();
            awaitOnlyReferenced(inside(photos), () -> shown(client));
            assertThat(client.get("/health/live").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void upload_blobsReadOnly_isRefusedAndLeavesNothing() throws Exception {
        try (var photos = startOnSmallDisk();
                var client = new PhotosClient(photos)) {
            var kept = client.add("photo.png", PHOTO);
            client.awaitSettled();
            makeReadOnly(photos, folder.resolve("blobs"));
            var response = client.upload("photo.png", PHOTO);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
            assertThat(photos.errors()).containsIgnoringCase("read-only");
            assertThat(client.list()).extracting(PhotosClient.Photo::id).containsExactly(kept);
            assertThat(client.get("/photos/" + kept).body()).isEqualTo(PHOTO);
            assertThat(inside(photos).leftovers()).isEmpty();
        }
    }

    @Test
    void upload_partsReadOnly_isRefused() throws Exception {
        try (var photos = startOnSmallDisk();
                var client = new PhotosClient(photos)) {
            makeReadOnly(photos, folder.resolve("parts"));
            assertThat(client.upload("photo.png", PHOTO).statusCode()).isEqualTo(503);
            assertThat(client.list()).isEmpty();
            assertThat(inside(photos).leftovers()).isEmpty();
            assertThat(inside(photos).objects()).isEmpty();
            assertThat(photos.errors()).containsIgnoringCase("read-only");
        }
    }

    /// The whole directory takes no new file: nothing of an upload is half visible, what is there is served.
    @Test
    void upload_dataReadOnly_isRefusedAndLeavesNothing() throws Exception {
        try (var photos = startOnSmallDisk();
                var client = new PhotosClient(photos)) {
            var kept = client.add("photo.png", PHOTO);
            client.awaitSettled();
            makeReadOnly(photos, folder);
            var response = client.upload("photo.png", PHOTO);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
            assertThat(photos.errors()).containsIgnoringCase("read-only");
            assertThat(client.list()).extracting(PhotosClient.Photo::id).containsExactly(kept);
            assertThat(client.get("/photos/" + kept).body()).isEqualTo(PHOTO);
            assertThat(inside(photos).leftovers()).isEmpty();
            assertThat(client.get("/health/live").statusCode()).isEqualTo(200);
        }
    }

    /// Files of the process may not grow beyond what its database has already: parts and blobs that are small are
    /// written, and then the row is not.
    @Test
    void upload_databaseTakesNoWrite_is503AndLeavesNothing() throws Exception {
        byte[] small = Pictures.png(8, 8);
        try (var photos = PhotosProcess.start(folder, "--reclaim-grace", "0s");
                var client = new PhotosClient(photos)) {
            var kept = new HashSet<String>();
            while (Files.size(folder.resolve("photos.db-wal")) < FILE_BYTES_MAX) {
                kept.add("/photos/" + client.add("photo.png", small));
            }
            client.awaitSettled();
            limitFiles(photos);
            var response = client.upload("photo.png", small);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
            assertThat(client.method("DELETE", kept.iterator().next()).statusCode())
                    .isEqualTo(503);
            assertThat(photos.errors()).contains("answer 503 of POST /photos ", "answer 503 of DELETE /photos/{id} ");
            assertThat(locations(client)).isEqualTo(kept);
            assertThat(new PhotosStore(folder).leftovers()).isEmpty();
            var store = new PhotosStore(folder);
            awaitOnlyReferenced(store, () -> new TreeSet<>(store.referenced()));
        }
    }

    private static void limitFiles(PhotosProcess photos) throws Exception {
        var limit = List.of("prlimit", "--pid", "" + photos.pid(), "--fsize=" + FILE_BYTES_MAX);
        var limiting = new ProcessBuilder(limit).inheritIO().start();
        assertThat(limiting.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(limiting.exitValue()).isZero();
    }

    /// The keys of all that is shown: a blob's key is its tag. SQLite finds no file below `/proc/<pid>/root`.
    private static Set<String> shown(PhotosClient client) throws Exception {
        var keys = new TreeSet<String>();
        for (var photo : client.list()) {
            for (var path : List.of("/photos/" + photo.id(), "/photos/" + photo.id() + "/thumb")) {
                var tag = client.method("HEAD", path).headers().firstValue("ETag");
                tag.ifPresent(quoted -> keys.add(quoted.replace("\"", "")));
            }
        }
        return keys;
    }

    /// A thumbnail that is being made may have its bytes before its row, for an instant.
    private static void awaitOnlyReferenced(PhotosStore store, Callable<Set<String>> referenced) throws Exception {
        var pause = new CompletableFuture<Void>();
        for (int i = 0; !store.objects().equals(referenced.call()); i++) {
            assertThat(i)
                    .as("tenths of a second; objects %s, referenced %s", store.objects(), referenced.call())
                    .isLessThan(100);
            pause.copy().completeOnTimeout(null, 100, TimeUnit.MILLISECONDS).join();
        }
    }

    /// In a mount namespace of its own; a user who is not root gets one in a user namespace.
    private PhotosProcess startOnSmallDisk() throws Exception {
        var mount = "mount -t tmpfs -o size=4m tmpfs '%s' && exec \"$@\"".formatted(folder);
        return PhotosProcess.on(folder)
                .below("unshare", isRoot() ? "-m" : "-rm", "sh", "-c", mount, "sh")
                .start();
    }

    private static boolean isRoot() throws Exception {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    private static void makeReadOnly(PhotosProcess photos, Path directory) throws Exception {
        var script = "mount --bind '%1$s' '%1$s' && mount -o remount,bind,ro '%1$s'".formatted(directory);
        var command = List.of("nsenter", "-t", "" + photos.pid(), isRoot() ? "-m" : "-mU", "sh", "-c", script);
        var mounting = new ProcessBuilder(command).inheritIO().start();
        assertThat(mounting.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(mounting.exitValue()).as(script).isZero();
    }

    private PhotosStore inside(PhotosProcess photos) {
        return new PhotosStore(
                Path.of("/proc", "" + photos.pid(), "root").resolve(Path.of("/").relativize(folder)));
    }

    private static Set<String> locations(PhotosClient client) throws Exception {
        return client.list().stream().map(photo -> "/photos/" + photo.id()).collect(Collectors.toSet());
    }
}

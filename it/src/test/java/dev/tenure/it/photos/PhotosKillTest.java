package dev.tenure.it.photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// SIGKILL before and after each step of an upload and of its thumbnail; after each a restart: nothing is half there.
class PhotosKillTest {
    private static final byte[] PHOTO = Pictures.jpeg(640, 480, 6);

    /// Points in the order in which an upload reaches them; `>` stands where the same thread has to reach the next,
    /// `~` where any may. The process is killed while a thread is held at the last one of a line. The number
    /// says how many photos more are committed then.
    private static final String STEPS = """
            stage/blob:before, 0
            stage/blob:after, 0
            force/blob:before, 0
            force/blob:after, 0
            place/blob:before, 0
            place/blob:after, 0
            place/blob:after>begin/tx:before, 0
            place/blob:after>begin/tx:after, 0
            row/photo:before, 0
            row/photo:after, 0
            enqueue/job:before, 0
            enqueue/job:after, 0
            enqueue/job:after>commit/tx:before, 0
            enqueue/job:after>commit/tx:after, 1
            settle/blob:before, 1
            settle/blob:after, 1
            enqueue/job:after>commit/tx:after~claim/job:before, 1
            enqueue/job:after~claim/job:after, 1
            decode/photo:before, 1
            decode/photo:after, 1
            decode/photo:after>stage/blob:before, 1
            decode/photo:after>stage/blob:after, 1
            decode/photo:after>force/blob:before, 1
            decode/photo:after>force/blob:after, 1
            decode/photo:after>place/blob:before, 1
            decode/photo:after>place/blob:after, 1
            row/thumbnail:before, 1
            row/thumbnail:after, 1
            complete/job:before, 1
            complete/job:after, 1
            complete/job:after>commit/tx:before, 1
            complete/job:after>commit/tx:after, 1
            complete/job:after>settle/blob:before, 1
            complete/job:after>settle/blob:after, 1
            thumbnail/photo:before, 1
            thumbnail/photo:after, 1
            """;

    private static final int ATTEMPTS = 5;

    @TempDir
    Path folder;

    private record Step(String points, int committed) {
        static Step parse(String line) {
            var cells = line.split(", ", -1);
            return new Step(cells[0], Integer.parseInt(cells[1]));
        }
    }

    @Test
    void kill_atEachStep_leavesNothingHalfDone() throws Exception {
        var store = new PhotosStore(folder);
        var known = new TreeSet<String>();
        String killedAt = "nothing";
        for (var step : STEPS.lines().map(Step::parse).toList()) {
            try (var photos = start()) {
                judgeRecovered(killedAt, photos, known);
                var answered = killAt(step.points(), photos);
                var committed = store.photos();
                assertThat(committed).as(step.points()).containsAll(known).hasSize(known.size() + step.committed());
                answered.ifPresent(id -> assertThat(committed).as(step.points()).contains(id));
                known.addAll(committed);
            }
            killedAt = step.points();
        }
        try (var photos = start()) {
            judgeRecovered(killedAt, photos, known);
            photos.terminate();
            assertThat(photos.exitCode()).as(photos.errors()).isZero();
        }
        judge("the end", store, known);
    }

    @Test
    void kill_atEachAttempt_endsInFailed() throws Exception {
        try (var photos = start()) {
            var _ = killAt("decode/photo:before", photos);
        }
        for (int attempt = 2; attempt <= ATTEMPTS; attempt++) {
            try (var photos =
                    PhotosProcess.on(folder).heldAt("decode/photo:before").start()) {
                photos.awaitHeld();
            }
        }
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            var photo = client.awaitSettled().getFirst();
            assertThat(photo.state()).isEqualTo("failed");
            assertThat(photo.reason()).contains(ATTEMPTS + " attempts");
            assertThat(client.method("DELETE", "/photos/" + photo.id()).statusCode())
                    .isEqualTo(204);
        }
        assertThat(new PhotosStore(folder).column("SELECT id FROM tenure_jobs")).isEmpty();
    }

    private PhotosProcess start() throws Exception {
        return PhotosProcess.on(folder).holdable().with("--reclaim-grace", "0s").start();
    }

    /// The id, if the upload was answered before the end.
    private static Optional<String> killAt(String points, PhotosProcess photos) throws Exception {
        photos.hold(points);
        try (var client = new PhotosClient(photos)) {
            var upload = CompletableFuture.supplyAsync(() -> {
                try {
                    return client.add("quarters.jpg", PHOTO);
                } catch (Exception failure) {
                    throw new IllegalStateException(failure);
                }
            });
            photos.awaitHeld();
            photos.kill();
            return Optional.of(upload.get(30, TimeUnit.SECONDS));
        } catch (ExecutionException unanswered) {
            return Optional.empty();
        }
    }

    /// Every committed photo is there, whole, with one thumbnail; what nobody refers to goes at the first reclaim.
    private void judgeRecovered(String killedAt, PhotosProcess photos, Set<String> known) throws Exception {
        try (var client = new PhotosClient(photos)) {
            var listed = client.awaitSettled();
            assertThat(listed).as(killedAt).allMatch(photo -> photo.state().equals("ready"));
            assertThat(listed)
                    .as(killedAt)
                    .extracting(PhotosClient.Photo::id)
                    .containsExactlyInAnyOrderElementsOf(known);
            for (var photo : listed) {
                assertThat(client.get("/photos/" + photo.id()).body())
                        .as(killedAt)
                        .isEqualTo(PHOTO);
                var thumbnail = client.get("/photos/" + photo.id() + "/thumb");
                assertThat(thumbnail.statusCode()).as(killedAt).isEqualTo(200);
            }
        }
        var store = new PhotosStore(folder);
        awaitReclaimed(store, 2 * known.size());
        judge(killedAt, store, known);
    }

    /// The running process reclaims in the background, once a second.
    private static void awaitReclaimed(PhotosStore store, int objects) throws Exception {
        var pause = new CompletableFuture<Void>();
        for (int i = 0; store.objects().size() != objects; i++) {
            assertThat(i).as("tenths of a second; objects %s", store.objects()).isLessThan(300);
            pause.copy().completeOnTimeout(null, 100, TimeUnit.MILLISECONDS).join();
        }
    }

    private static void judge(String killedAt, PhotosStore store, Set<String> known) throws Exception {
        var referenced = store.referenced();
        assertThat(referenced).as(killedAt).doesNotHaveDuplicates().hasSize(2 * known.size());
        assertThat(store.objects()).as(killedAt).isEqualTo(new TreeSet<>(referenced));
        assertThat(store.leftovers()).as(killedAt).isEmpty();
        assertThat(store.photos()).as(killedAt).isEqualTo(known);
        assertThat(store.column("SELECT thumb FROM photo WHERE state = 'ready'"))
                .hasSize(known.size());
    }
}

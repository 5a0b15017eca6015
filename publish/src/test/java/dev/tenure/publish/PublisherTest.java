package dev.tenure.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.blobs.PlacedBlob;
import dev.tenure.testkit.LeakCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class PublisherTest {
    @TempDir
    Path root;

    private Bench bench;
    private Path file;

    @BeforeEach
    void open() throws Exception {
        bench = new Bench(root);
        file = Files.writeString(root.resolve("part"), "a picture");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void publish_committed_rowJobAndBytesAreThere() throws Exception {
        bench.publisher.publish(file, (tx, blob) -> bench.insert(tx, "p1", blob));
        assertThat(bench.photos()).containsExactly("p1");
        assertThat(bench.jobKeys()).containsExactly("p1");
        assertThat(bench.objects()).isEqualTo(bench.blobKeys());
        assertThat(bench.read(bench.blobKeys().getFirst())).isEqualTo("a picture");
        assertThat(bench.staged()).isEmpty();
        assertThat(file).as("is the caller's").exists();
        bench.reclaim();
        assertThat(bench.objects()).hasSize(1);
    }

    @Test
    void publishReturning_givesTheBodysResult() throws Exception {
        PlacedBlob blob = bench.publisher.publishReturning(file, (tx, placed) -> {
            bench.insert(tx, "p1", placed);
            return placed;
        });
        assertThat(bench.blobKeys()).containsExactly(blob.key());
        assertThat(blob.bytes()).isEqualTo(9);
    }

    @Test
    void publish_aStream_readsItToItsEnd_andLeavesItOpen() throws Exception {
        var bytes = new ByteArrayInputStream("streamed".getBytes(StandardCharsets.UTF_8));
        bench.publisher.publish(bytes, (tx, blob) -> bench.insert(tx, "p1", blob));
        assertThat(bytes.available()).isZero();
        String key = bench.publisher.publishReturning(new ByteArrayInputStream(new byte[] {65}), (tx, blob) -> {
            bench.insert(tx, "p2", blob);
            return blob.key();
        });
        assertThat(bench.read(key)).isEqualTo("A");
        assertThat(bench.photos()).containsExactly("p1", "p2");
    }

    @Test
    void publish_bodyFails_leavesNothing_andThrowsItsFailure() throws Exception {
        var failure = new IOException("no such album");
        assertThatThrownBy(() -> bench.publisher.publish(file, (tx, blob) -> {
                    bench.insert(tx, "p1", blob);
                    throw failure;
                }))
                .isSameAs(failure);
        mustHoldNothing();
    }

    @Test
    void publish_bodyBreaks_leavesNothing_andThrowsItsError() throws Exception {
        var broken = new AssertionError("broken");
        assertThatThrownBy(() -> bench.publisher.publish(file, (tx, blob) -> {
                    bench.insert(tx, "p1", blob);
                    throw broken;
                }))
                .isSameAs(broken);
        mustHoldNothing();
    }

    @Test
    void publish_theSourceFails_leavesNothing() throws Exception {
        var torn = new SequenceInputStream(new ByteArrayInputStream(new byte[100_000]), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the client went");
            }

            @Override
            public int read(byte[] into, int from, int most) throws IOException {
                throw new IOException("the client went");
            }
        });
        assertThatThrownBy(() -> bench.publisher.publish(torn, (tx, blob) -> bench.insert(tx, "p1", blob)))
                .isInstanceOf(IOException.class)
                .hasMessage("the client went");
        mustHoldNothing();
    }

    @Test
    void publish_theCommitIsRefused_leavesNothing() throws Exception {
        bench.publisher.publish(file, (tx, blob) -> bench.insert(tx, "p1", blob));
        assertThatThrownBy(() -> bench.publisher.publish(file, (tx, blob) -> bench.insert(tx, "p1", blob)))
                .hasMessageContaining("UNIQUE");
        assertThat(bench.photos()).containsExactly("p1");
        assertThat(bench.objects()).isEqualTo(bench.blobKeys());
    }

    @Test
    void publish_afterTheDatabaseClosed_leavesNothing() throws Exception {
        var store = bench.blobs;
        bench.database.close();
        assertThatThrownBy(() -> bench.publisher.publish(file, (tx, blob) -> bench.insert(tx, "p1", blob)))
                .hasMessageContaining("photos");
        assertThat(store.counts()).isNotNull();
        assertThat(bench.objects()).isEmpty();
        assertThat(bench.staged()).isEmpty();
    }

    private void mustHoldNothing() throws Exception {
        assertThat(bench.photos()).isEmpty();
        assertThat(bench.jobKeys()).isEmpty();
        assertThat(bench.objects()).isEmpty();
        assertThat(bench.staged()).isEmpty();
    }
}

package dev.tenure.blobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Scope;
import dev.tenure.host.Host;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class ReadmeTest {
    @TempDir
    Path data;

    private final Set<String> rows = new HashSet<>();

    @Test
    void program_publishesAFile() throws Exception {
        var file = Files.writeString(data.resolve("file"), "content");
        try (var host = Host.named("readme").signals(false).start()) {
            publish(host, file);
        }
        assertThat(Bench.files(data.resolve("blobs"))).isEqualTo(rows.stream().toList());
    }

    private void publish(Host host, Path file) throws IOException {
        // tag::use
        var blobs = host.own(DirectoryBlobs.in(data.resolve("blobs")).referencedBy(keys -> rows));

        try (var scope = Scope.open("publish")) {
            var placed = blobs.place(scope, blobs.stage(scope, file)); // durable, final key, owned by this scope
            placed.inDoubt(); // from here on only the commit's outcome decides
            rows.add(placed.get().key()); // stands for a row and its commit
            blobs.settle(placed); // or discard(placed), or leave(placed)
        }
        // end::use
    }
}

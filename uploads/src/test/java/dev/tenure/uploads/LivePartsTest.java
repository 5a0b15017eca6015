package dev.tenure.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class LivePartsTest {
    private static final int MORE = 5;

    @TempDir
    Path directory;

    /// A folder with something in it cannot be deleted as a file.
    private PartFile part(Path at) throws IOException {
        var other = directory.resolve("other");
        return PartFile.create(at, _ -> FileChannel.open(other, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    @Test
    void removed_whileADiskRefusesDeletes_remembersSoManyAndCountsAll() throws Exception {
        var stubborn = Files.createDirectories(directory.resolve("stubborn"));
        Files.createFile(stubborn.resolve("content"));
        var live = new LiveParts(new FakeClock());
        var files = new ArrayList<PartFile>();
        for (var i = 0; i < LiveParts.LEFT_MAX + MORE; i++) {
            var file = part(stubborn);
            live.created(file);
            file.remove();
            assertThat(live.removed(file)).isFalse();
            files.add(file);
        }
        assertThat(live.left()).hasSize(LiveParts.LEFT_MAX);
        assertThat(live.counts()).containsEntry("temp_files_left", LiveParts.LEFT_MAX + (long) MORE);

        Files.delete(stubborn.resolve("content"));
        for (var file : files.reversed().subList(0, MORE + 1)) {
            file.remove();
            assertThat(live.removed(file)).isTrue();
        }
        assertThat(live.left()).hasSize(LiveParts.LEFT_MAX - 1);
        assertThat(live.counts()).containsEntry("temp_files_left", LiveParts.LEFT_MAX - 1L);

        live.forgetLeft();
        assertThat(live.counts()).containsEntry("temp_files_left", 0L);
    }
}

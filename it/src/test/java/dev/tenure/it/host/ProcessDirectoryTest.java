package dev.tenure.it.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.host.ProcessDirectory;
import dev.tenure.testkit.ChildJvm;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class ProcessDirectoryTest {
    @TempDir
    Path parent;

    /// Opens a directory with one file in it, and holds it until it is killed or its input ends.
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            var mine = ProcessDirectory.open(Path.of(args[0]));
            Files.writeString(mine.path().resolve("file"), "x");
            System.out.println("holds " + mine.path());
            System.in.read();
            mine.close();
        }
    }

    @Test
    void directory_isEmptyPrivateAndGoneAfterItsClose() throws Exception {
        var mine = ProcessDirectory.open(parent.resolve("made"));
        assertThat(mine.path()).isEmptyDirectory();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mine.path())))
                .isEqualTo("rwx------");
        assertThat(mine.id()).matches("[0-9a-f]{16}");
        Files.createDirectories(mine.path().resolve("deep/deeper"));
        Files.writeString(mine.path().resolve("deep/file"), "x");
        mine.close();
        mine.close();
        assertThat(parent.resolve("made")).isEmptyDirectory();
    }

    @Test
    void directories_ofOneProcess_haveIdsOfTheirOwnAndAreNoPreyToItsSweeps() throws Exception {
        var ids = new HashSet<String>();
        for (var i = 0; i < 20; i++) {
            try (var one = ProcessDirectory.open(parent);
                    var other = ProcessDirectory.open(parent)) {
                ids.add(one.id());
                ids.add(other.id());
                assertThat(other.sweep().directories()).isZero();
                assertThat(one.path()).exists();
            }
        }
        assertThat(ids).hasSize(40);
    }

    @Test
    void sweep_leavesALivingProcessAlone_andTakesADeadOneOver() throws Exception {
        try (var mine = ProcessDirectory.open(parent);
                var child = ChildJvm.start(Holder.class, parent.toString())) {
            var held = Path.of(child.awaitLine("holds ").substring("holds ".length()));
            mine.sweep();
            mine.sweep();
            assertThat(held.resolve("file")).exists();

            child.signal(ChildJvm.Signal.STOP); // frozen is alive
            assertThat(mine.sweep().directories()).isZero();
            assertThat(held.resolve("file")).exists();

            child.signal(ChildJvm.Signal.KILL);
            child.awaitExit();
            var swept = mine.sweep();
            assertThat(swept.directories()).isEqualTo(1);
            assertThat(swept.files()).isEqualTo(1);
            assertThat(swept.failures()).isEmpty();
            assertThat(held).doesNotExist();
        }
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void sweep_ofADeadDirectoryWithLinks_removesTheLinksAlone() throws Exception {
        var outside = Files.writeString(Files.createTempFile("outside", ""), "keep");
        var outsideDirectory = Files.createTempDirectory("outside");
        Files.writeString(outsideDirectory.resolve("inner"), "keep");
        try (var mine = ProcessDirectory.open(parent)) {
            var dead = Files.createDirectory(parent.resolve("p-1-0-00000000000000aa"));
            Files.createFile(parent.resolve("p-1-0-00000000000000aa.lock"));
            Files.createSymbolicLink(dead.resolve("file"), outside);
            Files.createSymbolicLink(dead.resolve("directory"), outsideDirectory);
            assertThat(mine.sweep().files()).isEqualTo(2);
            assertThat(dead).doesNotExist();
            assertThat(outside).exists();
            assertThat(outsideDirectory.resolve("inner")).exists();
        } finally {
            Files.delete(outside);
            Files.delete(outsideDirectory.resolve("inner"));
            Files.delete(outsideDirectory);
        }
    }

    @Test
    void sweep_ofALockFileThatIsALink_touchesNothing() throws Exception {
        var outside = Files.writeString(Files.createTempFile("outside", ""), "keep");
        try (var mine = ProcessDirectory.open(parent)) {
            var lock = Files.createSymbolicLink(parent.resolve("p-1-0-00000000000000ab.lock"), outside);
            assertThat(mine.sweep().failures()).hasSize(1);
            assertThat(outside).hasContent("keep");
            Files.delete(lock);
        } finally {
            Files.delete(outside);
        }
    }

    @Test
    void sweep_ofADirectoryLockedByAnotherChannelOfThisProcess_leavesIt() throws Exception {
        try (var mine = ProcessDirectory.open(parent)) {
            var name = "p-1-0-00000000000000ac";
            var other = Files.createDirectory(parent.resolve(name));
            var lockFile = Files.createFile(parent.resolve(name + ".lock"));
            try (var channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                    var lock = channel.lock()) {
                assertThat(lock.isValid()).isTrue();
                assertThat(mine.sweep().directories()).isZero();
                assertThat(other).exists();
            }
            assertThat(mine.sweep().directories()).isEqualTo(1);
        }
    }

    @Test
    void open_belowAFile_failsAndLeavesNothing() throws Exception {
        var file = Files.createFile(parent.resolve("file"));
        assertThatThrownBy(() -> ProcessDirectory.open(file.resolve("below"))).isInstanceOf(IOException.class);
        assertThat(parent).isDirectoryContaining(file::equals).isDirectoryNotContaining(path -> !path.equals(file));
    }
}

package dev.tenure.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The repository on disk: its modules in build order and its files without what is built.
///
/// @param root the folder of the parent pom
record Tree(Path root) {

    private static final Set<String> NOT_OURS = Set.of("target", ".git", ".idea", ".vscode", ".settings");

    /// The tree of the running build, whose tests start in their module's folder.
    static Tree here() {
        return new Tree(Path.of("").toAbsolutePath().resolve("..").normalize());
    }

    List<MavenModule> modules() {
        return Pom.read(root.resolve("pom.xml")).texts("/project/modules/module").stream()
                .map(name -> new MavenModule(root.resolve(name)))
                .toList();
    }

    /// All files below the root whose name ends so, in path order.
    List<Path> files(String ending) {
        return files(root, ending);
    }

    /// All files below a folder whose name ends so, in path order; none if the folder is absent.
    static List<Path> files(Path folder, String ending) {
        var found = new ArrayList<Path>();
        if (Files.isDirectory(folder)) {
            try {
                Files.walkFileTree(folder, new Collector(ending, found));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found.stream().sorted().toList();
    }

    /// A path as the messages show it: relative to the root, with forward slashes.
    String show(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Collector extends SimpleFileVisitor<Path> {
        private final String ending;
        private final List<Path> found;

        Collector(String ending, List<Path> found) {
            this.ending = ending;
            this.found = found;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            var ours = !NOT_OURS.contains(folder.getFileName().toString());
            return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.getFileName().toString().endsWith(ending)) {
                found.add(file);
            }
            return FileVisitResult.CONTINUE;
        }
    }
}

package dev.tenure.checks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// One module of the tree.
///
/// @param folder where its pom stands
/// @param name its folder's own name: `flyway` for `adapters/flyway`
record MavenModule(Path folder, String name) {

    MavenModule(Path folder) {
        this(folder, folder.getFileName().toString());
    }

    Pom pom() {
        return Pom.read(folder.resolve("pom.xml"));
    }

    Path mainSources() {
        return folder.resolve("src/main/java");
    }

    Path testSources() {
        return folder.resolve("src/test/java");
    }

    /// The class files of the running build: the profile `fast` has a folder of its own.
    Path classes() {
        return folder.resolve(System.getProperty("build.folder", "target")).resolve("classes");
    }

    boolean hasMainCode() {
        return Files.isDirectory(mainSources());
    }

    /// The main sources that have no class file, or an older one.
    List<Path> staleSources() {
        return Tree.files(mainSources(), ".java").stream()
                .filter(source -> !source.toString().endsWith("-info.java"))
                .filter(source -> source.toFile().lastModified()
                        > classOf(source).toFile().lastModified())
                .toList();
    }

    private Path classOf(Path source) {
        var name = mainSources().relativize(source).toString().replaceFirst("\\.java$", ".class");
        return classes().resolve(name);
    }
}

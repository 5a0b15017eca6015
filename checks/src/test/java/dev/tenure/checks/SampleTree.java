package dev.tenure.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A small tree in a folder of its own, to show that a rule can fail.
final class SampleTree {

    private final Path root;
    private final List<String> modules = new ArrayList<>();

    SampleTree(Path root) {
        this.root = root;
    }

    Tree tree() {
        return new Tree(root);
    }

    /// Adds a module at the end of the order, with the dependencies given by their folder's name.
    SampleTree withModule(String name, String... needed) {
        modules.add(name);
        write(
                "pom.xml",
                modules.stream()
                        .map(module -> "<module>" + module + "</module>")
                        .collect(Collectors.joining("", "<project><modules>", "</modules></project>")));
        var dependencies = List.of(needed).stream()
                .map(module -> "<dependency><groupId>dev.tenure</groupId><artifactId>tenure-" + module
                        + "</artifactId></dependency>")
                .collect(Collectors.joining());
        return write(
                name + "/pom.xml",
                "<project><artifactId>tenure-" + name + "</artifactId><dependencies>" + dependencies
                        + "</dependencies></project>");
    }

    SampleTree write(String file, String text) {
        try {
            var path = root.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

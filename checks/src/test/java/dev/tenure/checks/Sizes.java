package dev.tenure.checks;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Counts sizes with the compiler's own parser.
final class Sizes {

    static final int MAIN_FILE_LINES_MAX = 500;
    static final int TEST_FILE_LINES_MAX = 700;
    static final int LINE_COLUMNS_MAX = 120;
    static final int PUBLIC_TYPES_MAX = 25;
    static final int CORE_PUBLIC_TYPES_MAX = 30;

    private final Tree tree;

    Sizes(Tree tree) {
        this.tree = tree;
    }

    List<Finding> findings() {
        return tree.modules().stream().flatMap(this::inModule).toList();
    }

    private Stream<Finding> inModule(MavenModule module) {
        var main = Tree.files(module.mainSources(), ".java");
        var test = Tree.files(module.testSources(), ".java");
        return Stream.of(
                        main.stream().flatMap(file -> inText(file, MAIN_FILE_LINES_MAX)),
                        test.stream().flatMap(file -> inText(file, TEST_FILE_LINES_MAX)),
                        inCode(module, main, true),
                        inCode(module, test, false))
                .flatMap(found -> found);
    }

    private Stream<Finding> inText(Path file, int linesMax) {
        var lines = Tree.text(file).lines().toList();
        var found = new ArrayList<Finding>();
        if (lines.size() > linesMax) {
            found.add(over("file-lines", tree.show(file), lines.size(), linesMax));
        }
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).length() > LINE_COLUMNS_MAX) {
                found.add(over(
                        "line-columns",
                        tree.show(file) + "#" + (i + 1),
                        lines.get(i).length(),
                        LINE_COLUMNS_MAX));
            }
        }
        return found.stream();
    }

    private Stream<Finding> inCode(MavenModule module, List<Path> files, boolean isMain) {
        if (files.isEmpty()) {
            return Stream.empty();
        }
        var scanner = scan(files);
        var max = module.name().equals("core") ? CORE_PUBLIC_TYPES_MAX : PUBLIC_TYPES_MAX;
        return isMain && scanner.publicTypes() > max
                ? Stream.concat(
                        scanner.findings().stream(),
                        Stream.of(over("public-types", tree.show(module.folder()), scanner.publicTypes(), max)))
                : scanner.findings().stream();
    }

    private SizeScanner scan(List<Path> files) {
        var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "the tests run on a JDK");
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            var scanner = new SizeScanner(tree, Trees.instance(task).getSourcePositions());
            scanner.scan(task.parse(), 0);
            return scanner;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Finding over(String rule, String where, int actual, int max) {
        return new Finding(rule, where, "%d (expected: <= %d)".formatted(actual, max));
    }
}

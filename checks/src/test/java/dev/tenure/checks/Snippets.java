package dev.tenure.checks;

import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Compares each Java block of a page with the tagged region of a compiled file that it shows.
///
/// Before the block stands `<!-- snippet: path#tag -->`; in the file, `// tag::tag` and `// end::tag` stand alone on a
/// line.
final class Snippets {

    private static final Pattern MARK = Pattern.compile("<!-- snippet: ([^#\\s]+\\.java)#([\\w-]+) -->");
    private static final Pattern COMPILED = Pattern.compile(".*/src/(main|test)/java/.*");
    private static final Pattern TAG_LINE = Pattern.compile("\\s*// (tag|end)::[\\w-]+\\s*");

    private final Tree tree;

    Snippets(Tree tree) {
        this.tree = tree;
    }

    List<String> violations(Markdown page) {
        return page.fences().stream()
                .filter(Markdown.Fence::isJava)
                .flatMap(fence -> problem(fence).stream()
                        .map(problem -> tree.show(page.file()) + ":" + fence.line() + ": " + problem))
                .toList();
    }

    private Optional<String> problem(Markdown.Fence fence) {
        var mark = MARK.matcher(fence.before());
        if (!mark.matches()) {
            return Optional.of("a Java block without <!-- snippet: path#tag --> before it");
        }
        var source = tree.root().resolve(mark.group(1));
        if (!Files.isRegularFile(source) || !COMPILED.matcher(mark.group(1)).matches()) {
            return Optional.of(mark.group(1) + " is no compiled file of the tree");
        }
        var region = region(Tree.text(source).lines().toList(), mark.group(2));
        if (region.isEmpty()) {
            return Optional.of(mark.group(1) + " has no region " + mark.group(2));
        }
        var shown = String.join("\n", fence.body()).strip();
        return shown.equals(region.get())
                ? Optional.empty()
                : Optional.of("differs from the file; it is:\n" + region.get());
    }

    /// The lines between the tags, without their common indent and without other tags' lines.
    static Optional<String> region(List<String> lines, String tag) {
        var stripped = lines.stream().map(String::strip).toList();
        var start = stripped.indexOf("// tag::" + tag);
        var end = stripped.indexOf("// end::" + tag);
        if (start < 0 || end < start) {
            return Optional.empty();
        }
        var inside = lines.subList(start + 1, end).stream()
                .filter(line -> !TAG_LINE.matcher(line).matches())
                .toList();
        return Optional.of(String.join("\n", inside).stripIndent().strip());
    }
}

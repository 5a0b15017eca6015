package dev.tenure.checks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What must hold on the pages of the tree: snippets, links and the parts of a decision record.
final class Docs {

    private static final List<String> ADR_PARTS = List.of("context", "decision", "consequences", "rejected");

    private final Tree tree;
    private final List<Markdown> pages;

    Docs(Tree tree) {
        this.tree = tree;
        this.pages = tree.files(".md").stream().map(Markdown::read).toList();
    }

    List<String> snippets() {
        var snippets = new Snippets(tree);
        return pages.stream()
                .flatMap(page -> snippets.violations(page).stream())
                .toList();
    }

    List<String> links() {
        return pages.stream()
                .flatMap(page -> page.links().stream()
                        .flatMap(link -> brokenLink(page, link).stream())
                        .map(problem -> tree.show(page.file()) + ": " + problem))
                .toList();
    }

    private static Optional<String> brokenLink(Markdown page, String link) {
        if (link.matches("[a-z]+:.*")) {
            return Optional.empty();
        }
        var parts = link.split("#", 2);
        var target = parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]);
        if (!Files.exists(target)) {
            return Optional.of("link to " + link + ": no such file");
        }
        return parts.length < 2 || Markdown.read(target).anchors().contains(parts[1])
                ? Optional.empty()
                : Optional.of("link to " + link + ": no such heading");
    }

    List<String> decisionRecords() {
        var numbers = new HashSet<String>();
        return Tree.files(tree.root().resolve("docs/adr"), ".md").stream()
                .filter(file -> !file.getFileName().toString().equals("README.md"))
                .flatMap(file -> inRecord(file, numbers).map(problem -> tree.show(file) + ": " + problem))
                .toList();
    }

    private static Stream<String> inRecord(Path file, Set<String> numbers) {
        var name = file.getFileName().toString();
        if (!name.matches("\\d{4}-[a-z0-9-]+\\.md")) {
            return Stream.of("the name of a decision record is NNNN-title.md");
        }
        var prose = Markdown.read(file).prose();
        var missing = ADR_PARTS.stream()
                .filter(part -> prose.stream().noneMatch(line -> opens(part, line)))
                .map(part -> "has no section '" + part + "'");
        return numbers.add(name.substring(0, 4)) ? missing : Stream.concat(Stream.of("its number is taken"), missing);
    }

    /// Whether a line opens the part: as a heading, or as the first word of a paragraph (`Context. ...`).
    private static boolean opens(String part, String line) {
        return line.toLowerCase(Locale.ROOT).matches("(#+ " + part + "\\b.*|\\**" + part + "[.:].*)");
    }
}

package dev.tenure.checks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A page: its fenced blocks and the prose around them.
///
/// @param file where it stands
/// @param prose the lines outside fences, with inline code blanked
/// @param fences the fenced blocks in page order
record Markdown(Path file, List<String> prose, List<Fence> fences) {

    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)[^)]*\\)");
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`]*`");

    /// A fenced block.
    ///
    /// @param language the word after the opening fence, or empty
    /// @param before the last line before it that is not blank
    /// @param line where it opens, from 1
    /// @param body its lines
    record Fence(String language, String before, int line, List<String> body) {

        boolean isJava() {
            return language.equals("java");
        }
    }

    static Markdown read(Path file) {
        return parse(file, Tree.text(file).lines().toList());
    }

    static Markdown parse(Path file, List<String> lines) {
        var prose = new ArrayList<String>();
        var fences = new ArrayList<Fence>();
        var before = "";
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            if (line.startsWith("```")) {
                var end = closing(lines, i + 1);
                fences.add(new Fence(line.substring(3).strip(), before, i + 1, lines.subList(i + 1, end)));
                i = end;
            } else {
                prose.add(line);
            }
            before = line.isEmpty() ? before : line;
        }
        return new Markdown(file, prose, fences);
    }

    private static int closing(List<String> lines, int from) {
        var at = from;
        while (at < lines.size() && !lines.get(at).strip().equals("```")) {
            at++;
        }
        return at;
    }

    /// The targets of its links, without those inside code.
    List<String> links() {
        return prose.stream()
                .map(line -> INLINE_CODE.matcher(line).replaceAll("code"))
                .flatMap(line -> LINK.matcher(line).results().map(found -> found.group(1)))
                .toList();
    }

    List<String> headings() {
        return prose.stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+\\s*", ""))
                .toList();
    }

    /// What a link may name after `#`.
    Set<String> anchors() {
        return headings().stream()
                .map(heading -> heading.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}\\s_-]", "")
                        .replaceAll("\\s", "-"))
                .collect(Collectors.toSet());
    }
}

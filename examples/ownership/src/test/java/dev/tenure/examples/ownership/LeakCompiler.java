package dev.tenure.examples.ownership;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/// Compiles a source with the Resource Leak Checker on the processor path, as a user's build does.
final class LeakCompiler {
    private static final Pattern KIND = Pattern.compile("\\[([a-z.]+)] (.*)", Pattern.DOTALL);

    /// One finding.
    ///
    /// @param file the source's name
    /// @param line where, in the source
    /// @param kind the checker's key
    /// @param text what it says
    record Finding(String file, long line, String kind, String text) {
        /// As `javac` prints it, without the source line.
        String show() {
            return "%s:%d: error: [%s] %s".formatted(file, line, kind, text);
        }
    }

    private final Path stubs;

    LeakCompiler(Path stubs) {
        this.stubs = stubs;
    }

    List<Finding> compile(List<Path> sources) {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var found = new DiagnosticCollector<JavaFileObject>();
        var classPath = System.getProperty("java.class.path");
        var options = List.of(
                "-processor",
                "org.checkerframework.checker.resourceleak.ResourceLeakChecker",
                "-processorpath",
                classPath,
                "-classpath",
                classPath,
                "-Astubs=" + stubs,
                "-proc:only");
        try (var files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            var task = compiler.getTask(
                    new StringWriter(), files, found, options, null, files.getJavaFileObjectsFromPaths(sources));
            task.setLocale(Locale.ROOT);
            task.call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR || isAboutStubs(one))
                .map(LeakCompiler::finding)
                .toList();
    }

    /// A stub that no longer fits core is only a warning to the checker.
    private static boolean isAboutStubs(Diagnostic<? extends JavaFileObject> one) {
        return one.getMessage(Locale.ROOT).contains("tub");
    }

    private static Finding finding(Diagnostic<? extends JavaFileObject> one) {
        var source = one.getSource();
        var file = source == null ? "" : Path.of(source.toUri()).getFileName().toString();
        var text = one.getMessage(Locale.ROOT);
        var parts = KIND.matcher(text);
        return parts.matches()
                ? new Finding(file, one.getLineNumber(), parts.group(1), parts.group(2))
                : new Finding(file, one.getLineNumber(), one.getCode(), text);
    }

    /// What a source says about itself: a line that ends with `// leak: kind` is to be found.
    static List<Finding> announced(Path source) {
        try {
            var lines = Files.readAllLines(source);
            return IntStream.range(0, lines.size())
                    .filter(at -> lines.get(at).contains("// leak: "))
                    .mapToObj(at -> new Finding(
                            source.getFileName().toString(),
                            at + 1L,
                            lines.get(at).replaceFirst(".*// leak: ", ""),
                            ""))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

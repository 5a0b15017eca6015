package dev.tenure.checks;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What users of a folder of class files can see: the module's descriptor, then each public type of an exported package
/// with its public and protected members, as `javap` prints them.
final class ApiListing {

    private static final Pattern TYPE_END = Pattern.compile("(?m)^}\n");
    private static final Pattern TYPE_NAME = Pattern.compile("(?:class|interface) ([\\w.$]+)");

    private final Path classes;
    private final Optional<ModuleDescriptor> descriptor;

    ApiListing(Path classes) {
        this.classes = classes;
        this.descriptor = ModuleFinder.of(classes).findAll().stream()
                .map(module -> module.descriptor())
                .findFirst();
    }

    String text() {
        var module = descriptor.map(ApiListing::show).orElse("no module descriptor\n");
        return Stream.concat(Stream.of(module), types().values().stream()).collect(Collectors.joining("\n"));
    }

    private static String show(ModuleDescriptor module) {
        var requires = module.requires().stream()
                .map(required -> "  requires " + words(required.modifiers()) + required.name())
                .sorted();
        var exports = module.exports().stream()
                .map(exported -> "  exports " + exported.source() + to(exported))
                .sorted();
        return Stream.concat(requires, exports)
                .collect(Collectors.joining("\n", "module " + module.name() + " {\n", "\n}\n"));
    }

    private static String words(Set<?> modifiers) {
        return modifiers.stream()
                .map(modifier -> modifier.toString().toLowerCase(Locale.ROOT) + " ")
                .sorted()
                .collect(Collectors.joining());
    }

    private static String to(ModuleDescriptor.Exports exported) {
        return exported.targets().isEmpty()
                ? ""
                : " to " + exported.targets().stream().sorted().collect(Collectors.joining(", "));
    }

    /// The public types by name, without those inside a type that is not public.
    private Map<String, String> types() {
        var found = new TreeMap<String, String>();
        for (var block : TYPE_END.splitAsStream(javap()).toList()) {
            var name = TYPE_NAME.matcher(block);
            if (block.startsWith("public ") && name.find()) {
                found.put(name.group(1), block + "}\n");
            }
        }
        found.keySet().removeIf(name -> !isVisible(name, found));
        return found;
    }

    private static boolean isVisible(String name, Map<String, String> types) {
        var dollar = name.lastIndexOf('$');
        return dollar < 0 || (types.containsKey(name) && isVisible(name.substring(0, dollar), types));
    }

    private String javap() {
        var files =
                Tree.files(classes, ".class").stream().filter(this::isExported).map(Path::toString);
        var arguments = Stream.concat(Stream.of("-protected"), files).toArray(String[]::new);
        if (arguments.length == 1) {
            return "";
        }
        var out = new StringWriter();
        var tool = ToolProvider.findFirst("javap").orElseThrow();
        var status = tool.run(new PrintWriter(out, true), new PrintWriter(out, true), arguments);
        if (status != 0) {
            throw new IllegalStateException("javap ended with " + status + " for " + classes + ": " + out);
        }
        return out.toString()
                .lines()
                .filter(line -> !line.startsWith("Compiled from"))
                .map(line -> line.replace(" synchronized ", " ") + "\n")
                .collect(Collectors.joining());
    }

    private boolean isExported(Path file) {
        var name = classes.relativize(file.getParent())
                .toString()
                .replace('/', '.')
                .replace('\\', '.');
        var exported = descriptor
                .map(module -> module.exports().stream()
                        .filter(export -> !export.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .toList())
                .orElse(List.of(name));
        return exported.contains(name) && !name.contains(".internal") && !file.endsWith("package-info.class");
    }
}

package dev.tenure.examples.photos;

import dev.tenure.host.ConfigurationError;
import dev.tenure.host.ShutdownReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command line, checked: a bad one is a [ConfigurationError] of one line with key, value and range.
record Options(
        int port,
        Path data,
        Duration stopBudget,
        Quantities.Size photoLimit,
        Duration reclaimGrace,
        Optional<Path> report,
        boolean drill) {

    /// The arguments as they were typed.
    @Command(
            name = "photos",
            sortOptions = false,
            description =
                    "A photo gallery: upload, transaction, job, thumbnail. Ctrl-C stops it and prints how it ended.")
    private static final class Line {
        @Option(names = "--port", paramLabel = "N", description = "Listens there; 0 picks a free port (default: 8080).")
        private String port = "8080";

        @Option(names = "--data", paramLabel = "DIR", description = "Holds database and photos (default: photos-data).")
        private String data = "photos-data";

        @Option(names = "--stop-budget", paramLabel = "TIME", description = "The longest stop (default: 25s).")
        private String stopBudget = "25s";

        @Option(names = "--photo-limit", paramLabel = "SIZE", description = "The largest photo (default: 32MiB).")
        private String photoLimit = "32MiB";

        @Option(
                names = "--reclaim-grace",
                paramLabel = "TIME",
                description = "The age at which a file that nobody refers to is deleted (default: 15m).")
        private String reclaimGrace = "15m";

        @Option(names = "--report", paramLabel = "FILE", description = "Where the report of the stop goes, as JSON.")
        private String report = "";

        @Option(names = "--drill", description = "Opens the routes under /drill that are slow or get stuck.")
        private boolean drill;

        @Option(names = "--help", usageHelp = true, description = "Prints this.")
        @SuppressWarnings("unused") // see askForHelp
        private boolean help;
    }

    /// Reads and checks the arguments.
    static Options parse(String... args) {
        var line = parsed(args);
        return new Options(
                Quantities.number("--port", line.port, 0, 65_535),
                folder(line.data),
                Quantities.time("--stop-budget", line.stopBudget, Duration.ofSeconds(1), Duration.ofHours(1)),
                Quantities.size("--photo-limit", line.photoLimit, 1 << 10, 4L << 30),
                Quantities.time("--reclaim-grace", line.reclaimGrace, Duration.ZERO, Duration.ofDays(365)),
                line.report.isEmpty() ? Optional.empty() : Optional.of(reportFile(line.report)),
                line.drill);
    }

    /// What `--help` prints.
    static String usage() {
        return new CommandLine(new Line()).getUsageMessage();
    }

    /// Whether the arguments ask for nothing but [#usage()].
    static boolean askForHelp(String... args) {
        return List.of(args).contains("--help");
    }

    private static Line parsed(String... args) {
        var line = new Line();
        try {
            new CommandLine(line).parseArgs(args);
            return line;
        } catch (UnmatchedArgumentException unknown) {
            throw ConfigurationError.of("argument", String.join(" ", unknown.getUnmatched()), "one of " + names());
        } catch (MissingParameterException missing) {
            var option = (OptionSpec) missing.getMissing().getFirst();
            var usage = option.longestName() + " " + option.paramLabel();
            throw ConfigurationError.of(option.longestName(), "no value", usage);
        } catch (OverwrittenOptionException twice) {
            var option = (OptionSpec) twice.getOverwritten();
            throw ConfigurationError.of(option.longestName(), "given twice", "once");
        } catch (ParameterException bad) {
            throw bad.getArgSpec() instanceof OptionSpec flag
                    ? ConfigurationError.of(flag.longestName(), bad.getValue(), "no value")
                    : new ConfigurationError(String.valueOf(bad.getMessage()), bad);
        }
    }

    private static String names() {
        return new CommandLine(new Line())
                .getCommandSpec().options().stream()
                        .map(OptionSpec::longestName)
                        .collect(Collectors.joining(", "));
    }

    private static Path folder(String value) {
        if (value.isBlank()) {
            throw ConfigurationError.of("--data", "'" + value + "'", "a directory, made if it is not there");
        }
        return Path.of(value);
    }

    private static Path reportFile(String value) {
        var file = Path.of(value).toAbsolutePath();
        if (Files.isDirectory(file) || !Files.isDirectory(file.resolveSibling("."))) {
            throw ConfigurationError.of("--report", value, "a file in a directory that exists");
        }
        return file;
    }

    /// Writes the report of the stop where `--report` says; without it, nowhere.
    void writeReport(ShutdownReport written) {
        report.ifPresent(file -> {
            try {
                Files.writeString(file, written.toJson());
            } catch (IOException failure) {
                throw new UncheckedIOException("the report could not be written to " + file, failure);
            }
        });
    }

    /// A place in the data directory.
    Path data(String name) {
        return data.resolve(name);
    }
}

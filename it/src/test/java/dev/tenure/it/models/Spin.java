package dev.tenure.it.models;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Checks a Promela model: `spin` makes a checker in C, `gcc` compiles it, and it runs, all in a folder of its own.
///
/// @param models where the models are
/// @param work an empty folder
record Spin(Path models, Path work) {
    private static final long CHECK_SECONDS = 600;
    private static final Pattern ERRORS = Pattern.compile("errors: (\\d+)");
    private static final Pattern STATES = Pattern.compile("(\\d+) states, stored");
    private static final Pattern FIRST = Pattern.compile("pan:1: (.*)");

    /// What is looked for.
    enum Property {
        /// No assertion fails, and nobody waits for ever.
        SAFETY,
        /// Everybody ends, if every thread that can go on at last does.
        LIVENESS;

        private List<String> compile() {
            return this == SAFETY ? List.of("-DSAFETY", "-DNOCLAIM") : List.of("-DNFAIR=4");
        }

        private List<String> run() {
            return this == SAFETY ? List.of() : List.of("-a", "-f");
        }
    }

    /// What a check found.
    ///
    /// @param errors 0 if the property holds
    /// @param states how many were visited
    /// @param first what is wrong, empty if nothing is
    record Verdict(int errors, long states, String first) {}

    /// @param model a file of the models' folder
    /// @param property what is looked for
    /// @param options bounds and variants, such as `-DMOVERS=2`
    Verdict check(String model, Property property, List<String> options) {
        return check(model, property, options, List.of(Boolean.getBoolean("tenure.soak") ? "-O2" : "-O1"));
    }

    /// The same for what is refuted soon: here the compiler takes longer than the check. Most of the planted errors
    /// show
    /// where the process that was started last goes first.
    Verdict refute(String model, String variant) {
        return check(model, Property.SAFETY, List.of("-D" + variant), List.of("-O0", "-DREVERSE"));
    }

    private Verdict check(String model, Property property, List<String> options, List<String> gcc) {
        var make = new ArrayList<>(List.of("spin"));
        make.addAll(options);
        if (property == Property.LIVENESS) {
            make.add("-DLIVENESS");
        }
        make.addAll(List.of("-a", models.resolve(model).toString()));
        run(make);
        var compile = new ArrayList<>(List.of("gcc", "-w", "-DCOLLAPSE", "-DVECTORSZ=2048"));
        compile.addAll(gcc);
        compile.addAll(property.compile());
        compile.addAll(List.of("-o", "pan", "pan.c"));
        run(compile);
        var check = new ArrayList<>(List.of(work.resolve("pan").toString()));
        check.addAll(property.run());
        check.addAll(List.of("-m1000000", "-w20"));
        return verdict(model, run(check));
    }

    private static Verdict verdict(String model, String output) {
        var errors = ERRORS.matcher(output);
        var states = STATES.matcher(output);
        if (!errors.find() || !states.find() || output.contains("Search not completed\n\tbecause")) {
            throw new AssertionError(model + ": the checker did not come to a verdict:\n" + output);
        }
        var first = FIRST.matcher(output);
        return new Verdict(
                Integer.parseInt(errors.group(1)), Long.parseLong(states.group(1)), first.find() ? first.group(1) : "");
    }

    private String run(List<String> command) {
        Path output = work.resolve("output");
        try {
            var process = new ProcessBuilder(command)
                    .directory(work.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                if (!process.waitFor(CHECK_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("%s: not done in %d s".formatted(command, CHECK_SECONDS));
                }
            } finally {
                process.destroyForcibly();
            }
            String text = Files.readString(output);
            if (process.exitValue() != 0) {
                throw new AssertionError("%s ended with %d: %s".formatted(command, process.exitValue(), text));
            }
            return text;
        } catch (IOException e) {
            throw new AssertionError(
                    "the models need '%s' from your system's packages: apt-get install spin gcc libc6-dev"
                            .formatted(command.getFirst()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(command + ": interrupted", e);
        }
    }
}

package dev.tenure.examples.photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.host.ConfigurationError;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    @TempDir
    Path folder;

    @Test
    void parse_nothing_givesTheDefaults() {
        var options = Options.parse();

        assertThat(options.port()).isEqualTo(8080);
        assertThat(options.data()).isEqualTo(Path.of("photos-data"));
        assertThat(options.stopBudget()).isEqualTo(Duration.ofSeconds(25));
        assertThat(options.photoLimit()).isEqualTo(new Quantities.Size(32L << 20, "32 MiB"));
        assertThat(options.reclaimGrace()).isEqualTo(Duration.ofMinutes(15));
        assertThat(options.report()).isEmpty();
        assertThat(options.drill()).isFalse();
    }

    @Test
    void parse_everything_takesIt() {
        var report = folder.resolve("report.json");

        var options = Options.parse(
                "--port=0",
                "--data",
                folder.toString(),
                "--stop-budget",
                "1500ms",
                "--photo-limit",
                "128MiB",
                "--reclaim-grace",
                "0s",
                "--report",
                report.toString(),
                "--drill");

        assertThat(options.port()).isZero();
        assertThat(options.data("photos.db")).isEqualTo(folder.resolve("photos.db"));
        assertThat(options.stopBudget()).isEqualTo(Duration.ofMillis(1500));
        assertThat(options.photoLimit()).isEqualTo(new Quantities.Size(128L << 20, "128 MiB"));
        assertThat(options.reclaimGrace()).isZero();
        assertThat(options.report()).contains(report);
        assertThat(options.drill()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port         | 65536    | --port: 65536 (expected: 0 to 65535)",
                "--port         | x        | --port: x (expected: 0 to 65535)",
                "--stop-budget  | 5        | --stop-budget: 5 (expected: 1s to 1h; the unit is missing, as in 5s)",
                "--stop-budget  | 5x       | --stop-budget: 5x (expected: 1s to 1h; the units are ms, s, m, h, d)",
                "--stop-budget  | soon     | --stop-budget: soon (expected: 1s to 1h)",
                "--reclaim-grace| 0        | --reclaim-grace: 0 (expected: 0s to 8760h; the unit is missing, as in 0s)",
                "--stop-budget  | 2h       | --stop-budget: 2h (expected: 1s to 1h)",
                "--photo-limit  | 0        | --photo-limit: 0 (expected: 1KiB to 4096MiB)",
                "--photo-limit  | 9999999999999GiB | --photo-limit: 9999999999999GiB (expected: 1KiB to 4096MiB)",
                "--reclaim-grace| -1s      | --reclaim-grace: -1s (expected: 0s to 8760h)",
                "--data         | ' ' | --data: ' ' (expected: a directory, made if it is not there)",
                "--report       | /no/r    | --report: /no/r (expected: a file in a directory that exists)",
            })
    void parse_badValue_namesKeyValueAndRange(String key, String value, String message) {
        assertThatThrownBy(() -> Options.parse(key, value))
                .isInstanceOf(ConfigurationError.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"100KiB, 100 KiB", "1500kB, 1500 kB", "4096B, 4096 bytes", "4096, 4096 bytes", "1GiB, 1 GiB"})
    void parse_size_keepsTheUnitThatWasGiven(String given, String words) {
        assertThat(Options.parse("--photo-limit", given).photoLimit()).hasToString(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--data              | --data: no value (expected: --data DIR)",
                "--data,--port,1     | --data: no value (expected: --data DIR)",
                "--stop-budget       | --stop-budget: no value (expected: --stop-budget TIME)",
                "--port,1,--port,2   | --port: given twice (expected: once)",
                "--drill=often       | --drill: often (expected: no value)",
                "--data=             | --data: '' (expected: a directory, made if it is not there)",
            })
    void parse_badLine_isToldByTheOption(String line, String message) {
        assertThatThrownBy(() -> Options.parse(line.split(",")))
                .isInstanceOf(ConfigurationError.class)
                .hasMessage(message);
    }

    @Test
    void parse_unknownOption_listsTheKnownOnes() {
        assertThatThrownBy(() -> Options.parse("--prot", "80"))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageStartingWith("argument: --prot 80 (expected: one of --port, --data,");
    }

    @Test
    void usage_namesEveryOption() {
        assertThat(Options.askForHelp("--port", "1", "--help")).isTrue();
        assertThat(Options.usage())
                .contains(
                        "--port", "--data", "--stop-budget", "--photo-limit", "--reclaim-grace", "--report", "--drill");
    }
}

package dev.tenure.it.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Deadline;
import dev.tenure.core.Threads;
import dev.tenure.db.Database;
import dev.tenure.host.BackgroundService;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.DeploymentPolicy;
import dev.tenure.host.Host;
import dev.tenure.host.Reopenable;
import dev.tenure.http.HttpServer;
import dev.tenure.http.Response;
import dev.tenure.jobs.Jobs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsolatedPolicyTest extends PolicyContract {
    @TempDir
    Path directory;

    @Override
    DeploymentPolicy policy() {
        return DeploymentPolicy.REQUEST_ISOLATED;
    }

    @Override
    int opens(int activities) {
        return activities;
    }

    @Test
    void secondActivity_whileOneRuns_isRefused_andRunsAfterIt() {
        var first = host.openActivity("first");
        assertThatThrownBy(() -> host.activity("second", _ -> ""))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("host 'contract': activity 'second' was refused: 'first' has not ended, and policy "
                        + "REQUEST_ISOLATED admits one at a time");
        first.close();

        assertThat(host.<String, RuntimeException>activity("second", _ -> "ran"))
                .isEqualTo("ran");
    }

    @Test
    void whatWorksByItself_isRefused() {
        BackgroundService poller = stopping -> stopping.await();
        assertThatThrownBy(() -> host.background(poller))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageStartingWith("policy: REQUEST_ISOLATED (expected: PERSISTENT, since background service '");
        assertThatThrownBy(() -> started(isolated -> {
                    isolated.own(HttpServer.on(0)
                            .routes(routes -> routes.get("/", _ -> Response.ok().text(""))));
                }))
                .isInstanceOf(ConfigurationError.class)
                .hasMessage("policy: REQUEST_ISOLATED (expected: PERSISTENT, since http works by itself)");
        assertThatThrownBy(() -> started(isolated -> {
                    var database = isolated.own(Database.sqlite(directory.resolve("jobs.db")));
                    isolated.own(Jobs.on(database));
                }))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageContaining("(expected: PERSISTENT, since jobs works by itself)");
    }

    private static void started(java.util.function.Consumer<Host> program) {
        try (var isolated = Host.named("isolated")
                .policy(DeploymentPolicy.REQUEST_ISOLATED)
                .signals(false)
                .start()) {
            program.accept(isolated);
        }
    }

    @Test
    void cleanupOfTheProcess_runsInTheActivity_andOneFromOutsideInTheLastSweep() {
        host.cleanup("outside", () -> {
            trail.add("outside");
            host.cleanup("next run", () -> trail.add("next run"));
        });
        host.activity("first", activity -> {
            activity.cleanup("mine", () -> trail.add("mine"));
            host.cleanup("of the process", () -> trail.add("of the process"));
            return "";
        });
        trail.mustBe("mine", "of the process", "outside");
        host.activity("second", _ -> "");
        trail.mustBe("mine", "of the process", "outside", "next run");
        host.stopAndWait();
        trail.mustBe("mine", "of the process", "outside", "next run");
    }

    @Test
    void gate_thatIsNotSignalled_holdsTheNextActivityOff() {
        var activity = host.openActivity("stuck");
        var signal = activity.background("audit row");
        assertThat(activity.close(Deadline.in(java.time.Duration.ofMillis(10))).pending())
                .hasSize(1);
        assertThatThrownBy(() -> host.openActivity("next")).hasMessageContaining("'stuck' has not ended");
        pool.get();
        assertThat(pool.isOpen()).isTrue();

        signal.run();
        trail.mustBe("close pool 1");
    }

    /// A database with its pool, its threads and its files is opened for each activity, and nothing of it stays.
    @Test
    void sqlite_opensForEachActivity_andLeavesNoDescriptorThreadOrTemporaryFile() {
        var database = Reopenable.of(host, "database", Database.sqlite(directory.resolve("isolated.db")));
        insert(database, 0); // classes, the native library
        var before = Residue.now(directory);
        for (var number = 1; number <= 3; number++) {
            insert(database, number);
            before.mustBeBack(directory);
        }
    }

    private void insert(Reopenable<Database> database, int number) {
        host.activity("insert " + number, activity -> {
            var signal = activity.background("row");
            Threads.system().startPlatform("test-row", () -> {
                try {
                    database.get().withLease(sql -> {
                        try (var statement = sql.createStatement()) {
                            statement.execute("create table if not exists row (id)");
                            return statement.executeUpdate("insert into row values (" + number + ")");
                        }
                    });
                    trail.add("row " + number);
                } catch (java.sql.SQLException failure) {
                    trail.add(failure.toString());
                } finally {
                    signal.run();
                }
            });
            return "";
        });
        trail.mustEndWith("row " + number);
        assertThat(database.isOpen()).isFalse();
    }
}

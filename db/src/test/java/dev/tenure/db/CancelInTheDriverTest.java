package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Observer;
import dev.tenure.core.Outcome;
import dev.tenure.core.Reason;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A driver whose `Statement.cancel` refuses, or does not return.
@ExtendWith(LeakCheck.class)
@Timeout(60)
class CancelInTheDriverTest {
    private static final Reason GONE = Reason.of(Reason.Kind.PEER_GONE, "test");

    @TempDir
    Path folder;

    private final Trail trail = new Trail();
    private final FakeClock clock = new FakeClock();
    private final FaultDriver driver = new FaultDriver();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Observer ear = new Observer() {
        @Override
        public void failed(String owner, Throwable failure) {
            told.add(String.valueOf(failure.getMessage()));
        }

        @Override
        public void overdue(dev.tenure.core.CloseReport report) {
            told.add(report.toString());
        }
    };
    private Supervisor tasks;
    private Database database;

    @BeforeEach
    void open() throws Exception {
        tasks = Supervisor.open("test");
        database = new Sqlite(folder).builder().through(driver::wrap).open(clock, clock, ear);
    }

    @AfterEach
    void close() {
        letGo.countDown();
        tasks.close();
        database.close();
    }

    @Test
    void cancel_thatTheDriverRefuses_isRepeatedUntilTheStatementEnds_andToldOnce() {
        var refuses = new AtomicBoolean(true);
        driver.atEachCancel(() -> {
            if (refuses.get()) {
                throw new SQLException("not now");
            }
        });
        Task<Long> query = runningForever();

        query.cancel(GONE);
        for (int second = 0; second < 60; second++) {
            clock.advance(Duration.ofSeconds(1));
        }
        assertThat(driver.cancels()).as("the first one and its repetitions").isGreaterThan(60);
        assertThat(told)
                .singleElement()
                .asString()
                .contains("reader lease of 'GET /report'", "the driver refuses its cancel", "not now");

        refuses.set(false);
        clock.advance(Duration.ofSeconds(1));
        assertThat(query.join()).isInstanceOf(Outcome.CancelledOut.class);
        assertThat(told).hasSize(1);
        assertThat(clock.pending()).isZero();
    }

    @Test
    void cancel_thatHangsInTheDriver_holdsUpNobodyElse_andItsConnectionIsNotLentAgain() throws Exception {
        var statementEnds = new CountDownLatch(1);
        driver.before("WITH RECURSIVE", () -> {
            trail.add("query");
            Sqlite.uninterruptibly(statementEnds);
            throw new SQLException("ended by itself");
        });
        driver.atEachCancel(() -> {
            trail.add("cancelling");
            Sqlite.uninterruptibly(letGo);
        });
        Task<Long> query = tasks.fork("GET /report", () -> database.withReader(Sqlite::forever));
        trail.await("query");
        Task<Boolean> forcing = tasks.fork("forcing", () -> {
            database.force(new FakeStop());
            return true;
        });
        trail.await("cancelling");

        database.force(new FakeStop());
        query.cancel(GONE);
        assertThat(database.holders()).hasSize(1);
        assertThat(driver.cancels()).as("one at a time").isEqualTo(1);
        statementEnds.countDown();
        assertThat(query.join()).isNotInstanceOf(Outcome.Success.class);
        assertThat(forcing.isDone()).isFalse();
        assertThat(driver.closed()).as("connections that are not lent again").isEqualTo(1);
        assertThat((int) database.withReader(Sqlite::count)).isZero();

        letGo.countDown();
        assertThat(forcing.get()).isTrue();
    }

    private Task<Long> runningForever() {
        driver.before("WITH RECURSIVE", () -> trail.add("query"));
        Task<Long> query = tasks.fork("GET /report", () -> database.withReader(Sqlite::forever));
        trail.await("query");
        return query;
    }
}

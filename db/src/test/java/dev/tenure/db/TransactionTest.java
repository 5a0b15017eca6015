package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Cancelled;
import dev.tenure.core.Observer;
import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.db.CommitOutcome.Committed;
import dev.tenure.db.CommitOutcome.End;
import dev.tenure.db.CommitOutcome.RolledBack;
import dev.tenure.db.CommitOutcome.Unknown;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Probes;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class TransactionTest {
    @TempDir
    Path folder;

    private final List<Throwable> told = new ArrayList<>();
    private FaultDriver driver;
    private Sqlite sqlite;
    private Database database;

    @BeforeEach
    void open() throws Exception {
        driver = new FaultDriver();
        sqlite = new Sqlite(folder);
        database = sqlite.builder().through(driver::wrap).open(TimeSource.system(), Timers.system(), new Observer() {
            @Override
            public void failed(String owner, Throwable failure) {
                told.add(failure);
            }
        });
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void transaction_thatReturns_isCommitted() throws Exception {
        var ends = new ArrayList<End>();
        CommitOutcome<Integer> outcome = database.inTransaction(tx -> {
            tx.onOutcome(ends::add);
            Sqlite.insert(tx.connection(), "lamp");
            assertThat(tx.connection().getAutoCommit()).isFalse();
            assertThat(sqlite.rows()).isZero();
            return Sqlite.insert(tx.connection(), "chair");
        });

        assertThat(outcome).isEqualTo(new Committed<>(1));
        assertThat(outcome.orThrow()).isEqualTo(1);
        assertThat(sqlite.rows()).isEqualTo(2);
        assertThat(ends).containsExactly(End.COMMITTED);
    }

    @Test
    void commit_returnsOnlyWhatWasCommitted_andThrowsWhyNot() throws Exception {
        int inserted = database.commit(tx -> Sqlite.insert(tx.connection(), "lamp"));
        assertThat(inserted).isEqualTo(1);

        var mine = new IOException("mine");
        assertThatThrownBy(() -> database.commit(tx -> {
                    Sqlite.insert(tx.connection(), "chair");
                    throw mine;
                }))
                .isSameAs(mine);
        driver.after("COMMIT", () -> {
            throw new SQLException("connection reset", "08006");
        });
        assertThatExceptionOfType(CommitUnknown.class)
                .isThrownBy(() -> database.commit(tx -> {
                    tx.reconcileBy("order 7");
                    return Sqlite.insert(tx.connection(), "table");
                }));
        assertThat(sqlite.rows())
                .as("the lamp, and the table whose commit got no answer")
                .isEqualTo(2);
    }

    @Test
    void transaction_thatThrows_isRolledBackBeforeTheLeaseIsReleased() throws Exception {
        var failure = new IllegalStateException("mine");
        var trail = new Trail();
        CommitOutcome<Integer> outcome;
        try (var _ = Probes.install(point -> {
            if (point.endsWith("/tx:after") || point.equals("release/lease:before")) {
                trail.add(point + (isWriterFree() ? ", lock free" : ", locked"));
            }
        })) {
            outcome = database.inTransaction(tx -> {
                Sqlite.insert(tx.connection(), "lamp");
                throw failure;
            });
        }

        assertThat(outcome).isEqualTo(new RolledBack<>(failure));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(outcome::orThrow)
                .isSameAs(failure);
        trail.mustBe("begin/tx:after, locked", "rollback/tx:after, lock free", "release/lease:before, lock free");
        assertThat(sqlite.rows()).isZero();
        assertThat(driver.closed()).isZero();
    }

    /// A second connection tries to write.
    private boolean isWriterFree() {
        try (var other = sqlite.other();
                var statement = other.createStatement()) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            statement.executeUpdate("ROLLBACK");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    @Test
    void transaction_whoseCommitIsRefused_isRolledBack() throws Exception {
        var outcome = database.inTransaction(tx -> {
            Sqlite.insert(tx.connection(), "lamp");
            return tx.connection().createStatement().executeUpdate("INSERT INTO part VALUES (77)");
        });

        assertThat(outcome).isInstanceOf(RolledBack.class);
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(outcome::orThrow)
                .withMessageContaining("FOREIGN KEY");
        assertThat(sqlite.rows()).isZero();
        assertThat(isWriterFree()).isTrue();
    }

    @Test
    void transaction_whoseCommitReplyIsLost_isUnknownAndItsConnectionIsEvicted() throws Exception {
        var lost = new SQLException("the reply never came", "08006");
        driver.after("COMMIT", () -> {
            throw lost;
        });
        var ends = new ArrayList<End>();
        var outcome = database.inTransaction(tx -> {
            tx.onOutcome(ends::add);
            tx.reconcileBy("lamp");
            return Sqlite.insert(tx.connection(), "lamp");
        });

        assertThat(outcome).isInstanceOf(Unknown.class);
        assertThatExceptionOfType(CommitUnknown.class)
                .isThrownBy(outcome::orThrow)
                .withCause(lost)
                .withMessageContaining("transaction shop-1")
                .withMessageContaining("look for 'lamp' before doing it again");
        assertThat(ends).containsExactly(End.UNKNOWN);
        assertThat(driver.count("COMMIT")).isEqualTo(1);
        assertThat(driver.count("ROLLBACK")).isZero();
        assertThat(driver.closed()).isEqualTo(1);
        assertThat(sqlite.rows()).isEqualTo(1);
        assertThat(database.inTransaction(tx -> Sqlite.insert(tx.connection(), "chair"))
                        .end())
                .isEqualTo(End.COMMITTED);
    }

    @Test
    void transaction_whoseRollbackFails_outranksTheApplicationsErrorAndEvicts() throws Exception {
        driver.before("ROLLBACK", () -> {
            throw new SQLException("no link", "08006");
        });
        var mine = new IllegalStateException("mine");
        var outcome = database.inTransaction(tx -> {
            Sqlite.insert(tx.connection(), "lamp");
            throw mine;
        });

        assertThatExceptionOfType(RollbackFailed.class)
                .isThrownBy(outcome::orThrow)
                .withMessageContaining("ROLLBACK was not confirmed")
                .satisfies(failed -> assertThat(failed.getSuppressed()).containsExactly(mine));
        assertThat(driver.closed()).isEqualTo(1);
        assertThat(sqlite.rows()).isZero();
        assertThat(isWriterFree()).isTrue();
    }

    @Test
    void transaction_thatCannotBegin_didNothing() throws Exception {
        driver.before("BEGIN", () -> {
            throw new SQLException("no link", "08006");
        });
        var outcome = database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"));

        assertThatExceptionOfType(StorageUnavailable.class)
                .isThrownBy(outcome::orThrow)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(StorageUnavailable.Kind.LINK));
        assertThat(driver.count("INSERT")).isZero();
    }

    @Test
    void transaction_cancelledInAWrite_isLostAndItsCleanupCommitsNothing() throws Exception {
        var trail = new Trail();
        var outcome = new AtomicReference<CommitOutcome<Integer>>();
        try (var scope = Scope.open("test")) {
            var task = scope.fork("victim", () -> {
                outcome.set(database.inTransaction(tx -> {
                    Sqlite.insert(tx.connection(), "lamp");
                    try {
                        trail.add("writing");
                        return Sqlite.writeForever(tx.connection());
                    } finally {
                        trail.add("cleanup sees " + Sqlite.insert(tx.connection(), "from the cleanup"));
                    }
                }));
                return true;
            });
            trail.await("writing");
            task.cancel(Reason.of(Reason.Kind.REQUEST, "test"));
            task.join();
        }

        assertThat(outcome.get()).isInstanceOf(RolledBack.class);
        assertThatExceptionOfType(Cancelled.class).isThrownBy(outcome.get()::orThrow);
        trail.mustBe("writing", "cleanup sees 1");
        assertThat(sqlite.rows()).isZero();
        assertThat(isWriterFree()).isTrue();
        assertThat(driver.closed()).isZero();
    }

    @Test
    void transaction_lostInside_isRolledBackThoughTheBodyReturns() throws Exception {
        var outcome = database.inTransaction(tx -> {
            Sqlite.insert(tx.connection(), "lamp");
            try (var statement = tx.connection().createStatement()) {
                statement.executeUpdate("INSERT OR ROLLBACK INTO item (id, name) VALUES (1, NULL)");
            } catch (SQLException swallowed) {
                Sqlite.insert(tx.connection(), "after the loss");
            }
            return 1;
        });

        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(outcome::orThrow)
                .withMessageContaining("NOT NULL");
        assertThat(sqlite.rows()).isZero();
    }

    @Test
    void transaction_whatTheBodyLeftToItsScope_endsInsideIt() throws Exception {
        var outcome = database.inTransaction(tx -> {
            Scope.current().own((AutoCloseable) () -> Sqlite.insert(tx.connection(), "late"));
            return 1;
        });
        assertThat(outcome.end()).isEqualTo(End.COMMITTED);
        assertThat(sqlite.rows()).isEqualTo(1);

        var failing = database.inTransaction(tx -> {
            Scope.current().own((AutoCloseable) () -> {
                throw new IllegalStateException("does not end");
            });
            return Sqlite.insert(tx.connection(), "lamp");
        });
        assertThat(failing.end()).isEqualTo(End.ROLLED_BACK);
        assertThat(sqlite.rows()).isEqualTo(1);
    }

    @Test
    void transaction_escaped_isDead() {
        var escaped = new AtomicReference<Transaction>();
        assertThat(database.inTransaction(tx -> {
                            escaped.set(tx);
                            return 1;
                        })
                        .end())
                .isEqualTo(End.COMMITTED);
        assertThatExceptionOfType(LeaseEscaped.class)
                .isThrownBy(() -> escaped.get().connection());
        assertThatExceptionOfType(LeaseEscaped.class)
                .isThrownBy(() -> escaped.get().onOutcome(_ -> {}));
        assertThat(escaped.get().id()).isEqualTo("shop-1");
    }

    @Test
    void listener_isToldOnceAfterTheReleaseAndMayBorrow() throws Exception {
        var trail = new Trail();
        var outcome = database.inTransaction(tx -> {
            tx.onOutcome(end -> trail.add("first " + end + ", leases "
                    + database.counts().get("leases") + ", rows " + database.withReader(Sqlite::count)));
            tx.onOutcome(end -> {
                throw new IllegalStateException("listener");
            });
            tx.onOutcome(end -> trail.add("third " + end));
            return Sqlite.insert(tx.connection(), "lamp");
        });

        assertThat(outcome).isEqualTo(new Committed<>(1));
        trail.mustBe("first COMMITTED, leases 0, rows 1", "third COMMITTED");
        assertThat(told).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void listenerThatFails_isSuppressedOntoTheCauseOfARollback() {
        var mine = new IllegalStateException("mine");
        var outcome = database.inTransaction(tx -> {
            tx.onOutcome(_ -> {
                throw new IllegalStateException("listener");
            });
            throw mine;
        });
        assertThat(outcome).isEqualTo(new RolledBack<>(mine));
        assertThat(mine.getSuppressed()).singleElement().hasToString("java.lang.IllegalStateException: listener");
    }

    @Test
    void faultAtEachPoint_leavesNothingBehindAndTheOutcomeTrue() throws Exception {
        for (var point : List.of(
                "begin/tx:before",
                "begin/tx:after",
                "commit/tx:before",
                "acquire/lease:before",
                "acquire/lease:after")) {
            assertThat(runFailingAt(point)).as(point).isFalse();
            assertThat(isWriterFree()).as(point).isTrue();
        }
        assertThat(sqlite.rows()).isZero();
        assertThat(runFailingAt("commit/tx:after")).isTrue();
        assertThat(sqlite.rows()).isEqualTo(1);
        assertThat(runFailingAt("release/lease:after")).isTrue();
        assertThat(runFailingAt("release/lease:before")).isTrue();
        assertThat(sqlite.rows()).isEqualTo(3);
        assertThat(database.counts()).containsEntry("leases", 0L);
    }

    private boolean runFailingAt(String fault) throws Exception {
        try (var _ = Probes.install(point -> {
            if (point.equals(fault)) {
                throw new IllegalStateException("fault at " + point);
            }
        })) {
            return database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"))
                            .end()
                    == End.COMMITTED;
        } catch (IllegalStateException refused) {
            return false;
        }
    }
}

package dev.tenure.jobs.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobTableTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration WINDOW = Duration.ofSeconds(20);

    private final ClaimTable one = worker("one", 3);
    private final ClaimTable two = worker("two", 3);

    @TempDir
    Path directory;

    private Connection sql;

    @BeforeEach
    void open() throws SQLException {
        sql = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("jobs.db"));
        assertThat(Schema.install(sql)).isEqualTo(Schema.VERSION);
    }

    @AfterEach
    void close() throws SQLException {
        sql.close();
    }

    @Test
    void install_twice_keepsTheRows() throws SQLException {
        insert("a", NOON);
        assertThat(Schema.install(sql)).isEqualTo(Schema.VERSION);
        assertThat(one.nextDue(sql)).contains(NOON);
    }

    @Test
    void install_ofANewerTable_saysItsVersion() throws SQLException {
        execute("update tenure_jobs_meta set value = 7 where name = 'version'");
        assertThat(Schema.install(sql)).isEqualTo(7);
    }

    @Test
    void insert_sameTypeAndKey_addsNothingInAnyState() throws SQLException {
        assertThat(insert("a", NOON)).isTrue();
        assertThat(insert("a", NOON)).isFalse();
        var job = claimed(one, NOON).getFirst();
        assertThat(insert("a", NOON)).as("while it runs").isFalse();
        assertThat(JobTable.bury(sql, job, "no use")).isTrue();
        assertThat(insert("a", NOON)).as("while it is dead").isFalse();
    }

    @Test
    void insert_withoutKey_isNeverADuplicate() throws SQLException {
        var job = new NewJob("thumbnail", Optional.empty(), bytes("x"), NOON, NOON);
        assertThat(JobTable.insert(sql, job)).isPresent();
        assertThat(JobTable.insert(sql, job)).isPresent();
    }

    @Test
    void claim_takesWhatIsDueOldestFirst_andOnlyOnce() throws SQLException {
        insert("late", NOON.plusSeconds(1));
        insert("early", NOON.minusSeconds(1));
        insert("future", NOON.plusSeconds(60));
        assertThat(claimed(one, NOON.plusSeconds(2)))
                .extracting(job -> job.key().orElseThrow())
                .containsExactly("early", "late");
        assertThat(claimed(two, NOON.plusSeconds(2))).isEmpty();
        assertThat(two.nextDue(sql))
                .as("the claims of one expire first")
                .contains(NOON.plusSeconds(22).plusMillis(1));
        assertThat(one.nextDue(sql)).contains(NOON.plusSeconds(60));
    }

    @Test
    void claim_ofAnotherType_leavesItAlone() throws SQLException {
        JobTable.insert(sql, new NewJob("mail", Optional.empty(), bytes("x"), NOON, NOON));
        assertThat(claimed(one, NOON)).isEmpty();
        assertThat(one.nextDue(sql)).isEmpty();
    }

    @Test
    void fence_growsFromClaimToClaimOfAnyJob() throws SQLException {
        insert("a", NOON);
        insert("b", NOON);
        var first = claimed(one, NOON);
        assertThat(first).extracting(ClaimedJob::fence).containsExactly(1L, 2L);
        assertThat(JobTable.complete(sql, first.getFirst().id(), 1)).isTrue();
        insert("a", NOON);
        assertThat(claimed(one, NOON)).extracting(ClaimedJob::fence).containsExactly(3L);
    }

    @Test
    void takenOver_theOldClaimCanDoNothing() throws SQLException {
        insert("a", NOON);
        var stalled = claimed(one, NOON).getFirst();
        assertThat(claimed(two, NOON.plus(WINDOW))).as("within the window").isEmpty();
        var taken = claimed(two, NOON.plus(WINDOW).plusMillis(1)).getFirst();

        assertThat(JobTable.complete(sql, stalled.id(), stalled.fence())).isFalse();
        assertThat(JobTable.renew(sql, stalled, NOON)).isFalse();
        assertThat(JobTable.retry(sql, stalled, NOON, "late")).isFalse();
        assertThat(JobTable.release(sql, stalled)).isFalse();
        assertThat(JobTable.bury(sql, stalled, "late")).isFalse();
        assertThat(taken.attempt()).isEqualTo(2);
        assertThat(JobTable.complete(sql, taken.id(), taken.fence())).isTrue();
        assertThat(JobTable.exists(sql, taken.id())).isFalse();
    }

    @Test
    void renew_keepsTheClaimBeyondTheWindow() throws SQLException {
        insert("a", NOON);
        var job = claimed(one, NOON).getFirst();
        assertThat(JobTable.renew(sql, job, NOON.plus(WINDOW))).isTrue();
        assertThat(claimed(two, NOON.plus(WINDOW).plusSeconds(1))).isEmpty();
    }

    @Test
    void release_givesTheAttemptBack_andRetryCountsIt() throws SQLException {
        insert("a", NOON);
        JobTable.release(sql, claimed(one, NOON).getFirst());
        var again = claimed(two, NOON).getFirst();
        assertThat(again.attempt()).isEqualTo(1);
        JobTable.retry(sql, again, NOON.plusSeconds(5), "IOException: no");
        assertThat(claimed(two, NOON.plusSeconds(4))).isEmpty();
        assertThat(claimed(two, NOON.plusSeconds(5)).getFirst().attempt()).isEqualTo(2);
    }

    @Test
    void crashedInEveryAttempt_isBuriedInsteadOfRun() throws SQLException {
        insert("a", NOON);
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(claimed(one, NOON).getFirst().attempt()).isEqualTo(attempt);
            assertThat(ClaimTable.freeAll(sql)).isEqualTo(1);
        }
        var claims = one.claim(sql, NOON, 10);
        assertThat(claims.claimed()).isEmpty();
        assertThat(claims.buried()).hasSize(1);
        var dead = JobTable.dead(sql, 10).getFirst();
        assertThat(dead.error()).isEqualTo("ended without a result in attempt 3, its last");
        assertThat(JobTable.revive(sql, dead.id(), NOON)).isTrue();
        assertThat(claimed(one, NOON).getFirst().attempt()).isEqualTo(1);
    }

    @Test
    void freeOwn_keepsWhatRuns_andWhatOthersHold() throws SQLException {
        insert("a", NOON);
        insert("b", NOON);
        var mine = one.claim(sql, NOON, 2).claimed();
        insert("c", NOON);
        assertThat(claimed(two, NOON)).hasSize(1);
        assertThat(one.freeOwn(sql, List.of(mine.getFirst().id()))).isEqualTo(1);
        assertThat(one.freeOwn(sql, List.of())).isEqualTo(1);
        assertThat(one.freeOwn(sql, List.of())).isZero();
    }

    @Test
    void cancel_removesTheJobInAnyState() throws SQLException {
        insert("a", NOON);
        var job = claimed(one, NOON).getFirst();
        assertThat(JobTable.cancel(sql, "thumbnail", "a")).hasValue(job.id());
        assertThat(JobTable.complete(sql, job.id(), job.fence())).isFalse();
        assertThat(JobTable.cancel(sql, "thumbnail", "a")).isEmpty();
    }

    @Test
    void error_isShortenedTo2000Characters() throws SQLException {
        insert("a", NOON);
        JobTable.bury(sql, claimed(one, NOON).getFirst(), "x".repeat(5_000));
        assertThat(JobTable.dead(sql, 1).getFirst().error()).hasSize(2_000);
    }

    private List<ClaimedJob> claimed(ClaimTable by, Instant now) throws SQLException {
        return by.claim(sql, now, 10).claimed();
    }

    private boolean insert(String key, Instant due) throws SQLException {
        var job = new NewJob("thumbnail", Optional.of(key), bytes("photo " + key), NOON, due);
        return JobTable.insert(sql, job).isPresent();
    }

    private void execute(String text) throws SQLException {
        try (var statement = sql.createStatement()) {
            statement.execute(text);
        }
    }

    private static ClaimTable worker(String owner, int attemptsMax) {
        return new ClaimTable(new Worker(owner, Map.of("thumbnail", attemptsMax), WINDOW));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

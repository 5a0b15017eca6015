package dev.tenure.publish;

import dev.tenure.blobs.Blobs;
import dev.tenure.blobs.DirectoryBlobs;
import dev.tenure.blobs.PlacedBlob;
import dev.tenure.core.Observer;
import dev.tenure.core.Probe;
import dev.tenure.core.Scope;
import dev.tenure.db.Database;
import dev.tenure.db.DatabaseBuilder;
import dev.tenure.db.Transaction;
import dev.tenure.host.Host;
import dev.tenure.jobs.JobType;
import dev.tenure.jobs.Jobs;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A host with a database, a store and an enqueue-only worker, and what is really on disk and in the tables.
final class Bench implements AutoCloseable {
    static final Duration GRACE = Duration.ofMinutes(15);
    static final JobType<String> THUMBNAIL = JobType.text("thumbnail");

    final FakeClock clock = new FakeClock();
    final Trail failures = new Trail();
    final Host host;
    final Database database;
    final Blobs blobs;
    final Jobs jobs;
    final Publisher publisher;
    private final Path root;

    Bench(Path root) throws Exception {
        this(root, Database.sqlite(root.resolve("photos.db")));
    }

    Bench(Path root, DatabaseBuilder builder) throws Exception {
        this.root = root;
        Observer ear = new Observer() {
            @Override
            public void failed(String owner, Throwable failure) {
                failures.add(owner + ": " + failure);
            }
        };
        host = Host.named("publish")
                .signals(false)
                .timeSource(clock)
                .timers(clock)
                .observer(ear)
                .start();
        database = host.own(builder.migratedBy(source -> {
            try (var sql = source.getConnection();
                    var statement = sql.createStatement()) {
                statement.execute("create table if not exists photos (id text primary key, blob text not null)");
            }
        }));
        blobs = host.own(DirectoryBlobs.in(root.resolve("blobs"))
                .reclaimGrace(GRACE)
                .reclaimEvery(Duration.ofDays(300))
                .referencedBy(this::referenced));
        jobs = host.own(Jobs.on(database));
        publisher = Publisher.of(database, blobs).observedBy(ear);
    }

    /// The usual work: a row and a job.
    void insert(Transaction tx, String id, PlacedBlob blob) throws SQLException {
        Probe.before("row", "photo");
        try (var statement = tx.connection().prepareStatement("insert into photos (id, blob) values (?, ?)")) {
            statement.setString(1, id);
            statement.setString(2, blob.key());
            statement.executeUpdate();
        }
        Probe.after("row", "photo");
        jobs.enqueue(tx, THUMBNAIL.of(id).keyed(id));
    }

    private Set<String> referenced(Collection<String> keys) throws SQLException {
        var found = new HashSet<>(blobKeys());
        found.retainAll(keys);
        return found;
    }

    List<String> photos() throws SQLException {
        return texts("select id from photos");
    }

    List<String> blobKeys() throws SQLException {
        return texts("select blob from photos");
    }

    List<String> jobKeys() throws SQLException {
        return texts("select job_key from tenure_jobs");
    }

    private List<String> texts(String query) throws SQLException {
        return database.withReader(sql -> {
            try (var statement = sql.createStatement();
                    var rows = statement.executeQuery(query)) {
                var found = new ArrayList<String>();
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
                return found;
            }
        });
    }

    List<String> objects() {
        return files(root.resolve("blobs/objects"));
    }

    List<String> staged() {
        return files(root.resolve("blobs/staging")).stream()
                .filter(name -> !name.endsWith(".lock"))
                .toList();
    }

    private static List<String> files(Path directory) {
        try (var walk = Files.walk(directory)) {
            return walk.filter(Files::isRegularFile)
                    .map(path -> path.getFileName().toString())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String read(String key) throws IOException {
        try (var scope = Scope.open("read")) {
            var channel = blobs.open(scope, key).get();
            var bytes = ByteBuffer.allocate((int) channel.size());
            for (var n = 1; n > 0; ) {
                n = channel.read(bytes);
            }
            return new String(bytes.array(), StandardCharsets.UTF_8);
        }
    }

    /// Lets the grace age pass and reclaims.
    void reclaim() {
        clock.advance(GRACE);
        blobs.reclaim();
    }

    @Override
    public void close() {
        host.close();
    }
}

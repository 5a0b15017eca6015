package dev.tenure.examples.photos;

import static dev.tenure.examples.photos.Thumbnails.THUMBNAIL;

import dev.tenure.blobs.DirectoryBlobs;
import dev.tenure.db.Database;
import dev.tenure.flyway.Flyway;
import dev.tenure.host.Host;
import dev.tenure.host.ShutdownReport;
import dev.tenure.http.HttpServer;
import dev.tenure.jackson.JacksonJson;
import dev.tenure.jobs.Jobs;
import dev.tenure.publish.Publisher;
import dev.tenure.uploads.Uploads;

/// A photo gallery: upload, staged blob, transaction, job, thumbnail, with live updates.
///
/// **Owner:** the process. **Ends:** by Ctrl-C, SIGTERM or a failure, with a report and its exit code.
public final class Photos {
    private Photos() {}

    /// Runs the gallery until it is stopped, and leaves the process with the code of the report.
    ///
    /// @param args see `--help`
    public static void main(String[] args) {
        if (Options.askForHelp(args)) {
            System.out.print(Options.usage());
            return;
        }
        System.exit(Host.exitCode(() -> run(Options.parse(args))));
    }

    private static ShutdownReport run(Options options) {
        var log = new Log();
        var json = JacksonJson.create();
        var feed = new Feed(json);
        try (var host = Host.named("photos")
                .stopBudget(options.stopBudget())
                .observer(log)
                .reportTo(options::writeReport)
                .start()) {
            var photos = new PhotoTable(feed, host.timeSource());
            host.own(DataDirectory.at(options.data()));
            var database = host.own(Database.sqlite(options.data("photos.db")).migratedBy(Flyway.scripts("db")));
            var blobs = host.own(DirectoryBlobs.in(options.data("blobs"))
                    .reclaimGrace(options.reclaimGrace())
                    .referencedBy(keys -> database.withReader(sql -> photos.referenced(sql, keys))));
            var jobs = host.own(Jobs.on(database)
                    .exclusive()
                    .concurrency(Thumbnails.atOnce())
                    .handling(THUMBNAIL, new Thumbnails(database, blobs, photos), Thumbnails.POLICY));
            var uploads = host.own(Uploads.in(options.data("parts"))
                    .partBytesMax(options.photoLimit().bytes(), Intake.limitWords(options.photoLimit())));
            var publisher = Publisher.of(database, blobs).observedBy(log);
            var server = Answers.of(HttpServer.on(options.port()).portKey("--port"))
                    .json(json)
                    .routes(new Intake(publisher, jobs, uploads, photos).upTo(options.photoLimit()))
                    .routes(new Gallery(database, blobs, jobs, photos), feed);
            var http = host.own(options.drill() ? server.routes(new Drill()) : server);
            System.out.printf("photos: http://127.0.0.1:%d/%n", http.port());
            return host.awaitStop();
        }
    }
}

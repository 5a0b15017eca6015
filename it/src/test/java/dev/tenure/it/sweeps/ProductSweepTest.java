package dev.tenure.it.sweeps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.photos.PhotoUpload;
import dev.tenure.it.Counts;
import dev.tenure.sim.Multipart;
import dev.tenure.sim.Sim;
import dev.tenure.sim.SimPart;
import dev.tenure.testkit.Fault;
import dev.tenure.testkit.FaultSweep;
import dev.tenure.testkit.Sweep;
import dev.tenure.testkit.SweepReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The paths of the product, each with every fault at every point, and the page that their owner tables make.
class ProductSweepTest {
    private static final Path PAGE = Path.of("../docs/reference/owners.md");
    private static final Map<String, Body> PATHS = paths();

    @FunctionalInterface
    private interface Body {
        void run(Sim sim) throws Exception;
    }

    private static Map<String, Body> paths() {
        var paths = new LinkedHashMap<String, Body>();
        paths.put("photo upload", PhotoUploadSweep::upload);
        paths.put("transaction", DataSweeps::transaction);
        paths.put("lease", DataSweeps::lease);
        paths.put("rival transactions", DataSweeps::rivals);
        paths.put("multipart upload", DataSweeps::multipart);
        paths.put("publish", DataSweeps::publish);
        paths.put("job hand-over", DataSweeps::job);
        paths.put("activity cleanup", DataSweeps::activity);
        paths.put("connection", ConnectionSweep::connection);
        paths.put("host stop", StopSweep::stop);
        return paths;
    }

    /// The photo example's own handler, called with fakes, by the annotation alone.
    // tag::use
    @FaultSweep(
            faults = {Fault.CANCEL, Fault.UNKNOWN},
            pairs = 0)
    void upload(Sim sim) throws Exception {
        sim.migratedBy("photos", PhotoUploadSweep::createPhotos).referredToBy("select blob from photo");
        var upload = PhotoUpload.over(sim); // its parts: sim.publisher(), sim.jobs(), sim.uploads()
        upload.handle(sim.exchange(Multipart.file("photo", PhotoUploadSweep.JPEG)));
    }
    // end::use

    @TestFactory
    Stream<DynamicTest> paths_areClean_andTheirOwnersAreOnThePage() {
        var reports = new LinkedHashMap<String, SweepReport>();
        var sweeps = PATHS.entrySet().stream()
                .map(path -> DynamicTest.dynamicTest(path.getKey(), () -> {
                    var report = swept(path.getKey(), path.getValue());
                    reports.put(path.getKey(), report);
                    System.out.println(report);
                    report.assertClean();
                    assertThat(report.notes()).noneMatch(note -> note.contains("budget"));
                }));
        return Stream.concat(sweeps, Stream.of(DynamicTest.dynamicTest("page", () -> comparePage(reports))));
    }

    private static SweepReport swept(String name, Body body) {
        var part = new SimPart();
        return Sweep.of(name, world -> body.run(part.make(world)))
                .confined("lease", "lent", "permit of connections of sim", "statement")
                .staying(!name.equals("job hand-over")) // a worker never gives up on a database that is gone
                .schedules(name.equals("rival transactions") ? Counts.of(4, 200) : 1) // only there all waits are seen
                .pairs(Counts.of(0, 2_000))
                .budget(Duration.ofSeconds(Counts.of(60, 600)))
                .run();
    }

    private static void comparePage(Map<String, SweepReport> reports) throws IOException {
        var page = new OwnersPage();
        reports.forEach(page::add);
        assertThat(reports.keySet()).as("paths that were swept").isEqualTo(PATHS.keySet());
        assertThat(page.unnamed()).as("resources whose owner cannot be named").isEmpty();
        assertThat(page.vague())
                .as("resources of which the page does not say how they end")
                .isEmpty();
        if (Boolean.getBoolean("owners.update")) {
            Files.writeString(PAGE, page.toString());
        }
        assertThat(page.toString())
                .as("docs/reference/owners.md; to make it again: -Downers.update=true")
                .isEqualTo(Files.readString(PAGE));
    }

    /// A gap as a user would write it: something is opened, and looked after only later.
    @Test
    void gap_isFound() {
        var report = Sweep.of("gap", world -> {
                    var sim = new SimPart().make(world);
                    var sql = sim.owner();
                    sql.activity("gap", activity -> {
                        var peer = world.socket("peer");
                        dev.tenure.core.Scope.current().checkpoint();
                        return activity.cleanup("peer", peer::close);
                    });
                })
                .faults(Fault.CANCEL)
                .run();
        assertThat(report.failures()).anyMatch(failure -> failure.resource().contains("socket peer"));
    }
}

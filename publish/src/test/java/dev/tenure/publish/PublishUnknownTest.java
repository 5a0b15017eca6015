package dev.tenure.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tenure.db.Database;
import dev.tenure.publish.CuttingDataSource.Cut;
import dev.tenure.testkit.LeakCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(LeakCheck.class)
class PublishUnknownTest {
    @TempDir
    Path root;

    @ParameterizedTest
    @EnumSource(
            value = Cut.class,
            names = {"BEFORE_THE_DATABASE_SAW_IT", "AFTER_THE_DATABASE_SAW_IT"})
    void connectionCutAtTheCommit_throwsUnknown_andTheReclaimerFindsOut(Cut cut) throws Exception {
        var source = new CuttingDataSource(root.resolve("photos.db"));
        try (var bench = new Bench(root, Database.over(source).connections(1))) {
            var file = Files.writeString(root.resolve("part"), "a picture");
            var thrown = catchThrowableOfType(
                    PublishUnknown.class,
                    () -> bench.publisher.publish(file, (tx, blob) -> {
                        bench.insert(tx, "p1", blob);
                        source.cutNextCommit(cut);
                    }));
            assertThat(bench.objects()).as("left as it is").containsExactly(thrown.key());
            assertThat(thrown.evidence().key()).isEqualTo(thrown.key());
            assertThat(thrown).hasMessageContaining("blob '" + thrown.key() + "': published or not: database");
            bench.reclaim();
            assertThat(bench.objects()).isEqualTo(bench.blobKeys());
            boolean committed = cut == Cut.AFTER_THE_DATABASE_SAW_IT;
            assertThat(bench.photos()).hasSize(committed ? 1 : 0);
            assertThat(bench.jobKeys()).hasSize(committed ? 1 : 0);
        }
    }
}

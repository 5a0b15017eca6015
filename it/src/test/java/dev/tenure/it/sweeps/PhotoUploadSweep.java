package dev.tenure.it.sweeps;

import dev.tenure.examples.photos.PhotoUpload;
import dev.tenure.sim.Multipart;
import dev.tenure.sim.Sim;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Objects;
import javax.imageio.ImageIO;
import javax.sql.DataSource;

/// The photo path: a client's JPEG becomes a part file, a staged blob, a placed blob, a row and a job, or nothing.
final class PhotoUploadSweep {
    static final byte[] JPEG = jpeg();

    private PhotoUploadSweep() {}

    private static byte[] jpeg() {
        try (var bytes = new ByteArrayOutputStream()) {
            ImageIO.write(new BufferedImage(16, 12, BufferedImage.TYPE_INT_RGB), "jpeg", bytes);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void upload(Sim sim) throws Exception {
        var upload = PhotoUpload.over(schema(sim));
        upload.handle(sim.exchange(Multipart.file("photo", JPEG)));
    }

    private static Sim schema(Sim sim) {
        return sim.migratedBy("photos", PhotoUploadSweep::createPhotos).referredToBy("select blob from photo");
    }

    /// The example's own script, without the seconds that Flyway takes when it is first used.
    static void createPhotos(DataSource source) throws SQLException, IOException {
        try (var script = Objects.requireNonNull(PhotoUpload.class.getResourceAsStream("/db/V1__photos.sql"));
                var sql = source.getConnection();
                var statement = sql.createStatement()) {
            statement.executeUpdate(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}

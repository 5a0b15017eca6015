package dev.tenure.it.sweeps;

import dev.tenure.examples.photos.PhotoUpload;
import dev.tenure.flyway.Flyway;
import dev.tenure.sim.Multipart;
import dev.tenure.sim.Sim;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/// The photo path: a client's JPEG becomes a part file, a staged blob, a placed blob, a row and a job, or nothing.
final class PhotoUploadSweep {
    private static final byte[] JPEG = jpeg();

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
        return sim.migratedBy("photos", Flyway.scripts("db")).referredToBy("select blob from photo");
    }
}

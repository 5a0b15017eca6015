package dev.tenure.examples.photos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.photos.image.ImageFacts;
import dev.tenure.examples.photos.image.ImageKind;
import dev.tenure.examples.photos.image.Orientation;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhotoTest {
    private static final ImageFacts SIDEWAYS = new ImageFacts(ImageKind.JPEG, 640, 480, Orientation.QUARTER_RIGHT);

    @ParameterizedTest
    @CsvSource({
        "holiday.jpg, holiday.jpg",
        "C:\\Users\\me\\holiday.jpg, holiday.jpg",
        "../../etc/passwd, passwd",
        "'', photo",
        "'  ', photo",
        "folder/, photo",
    })
    void of_filename_keepsItsLastPart(String filename, String caption) {
        assertThat(Photo.Original.of(filename, SIDEWAYS, 1).name()).isEqualTo(caption);
    }

    @Test
    void of_filenameWithControls_dropsThem() {
        assertThat(Photo.Original.of("a\r\n\tb\0.jpg", SIDEWAYS, 1).name()).isEqualTo("ab.jpg");
    }

    @Test
    void of_longFilename_isCutBetweenCharacters() {
        var name = Photo.Original.of("\uD83D\uDCF7".repeat(300), SIDEWAYS, 1).name();

        assertThat(name.codePointCount(0, name.length())).isEqualTo(200);
    }

    @Test
    void of_sidewaysPicture_hasItsUprightSize() {
        var original = Photo.Original.of("a.jpg", SIDEWAYS, 7);

        assertThat(original.width()).isEqualTo(480);
        assertThat(original.height()).isEqualTo(640);
        assertThat(original.bytes()).isEqualTo(7);
    }

    @Test
    void blobs_ofAReadyPhoto_areOriginalAndThumbnail() {
        var id = PhotoId.random();
        var photo =
                new Photo(id, Photo.Original.of("a.jpg", SIDEWAYS, 1), "blob", new Photo.Processing(), Instant.EPOCH);

        assertThat(photo.blobs()).isEqualTo(List.of("blob"));
        assertThat(photo.with(new Photo.Ready("thumb")).blobs()).isEqualTo(List.of("blob", "thumb"));
        assertThat(photo.with(new Photo.Failed("why")).view().reason()).isEqualTo("why");
        assertThat(PhotoId.parse(id.text())).contains(id);
        assertThat(PhotoId.parse(id.text() + "0")).isEmpty();
        assertThat(PhotoId.parse("../photos.db")).isEmpty();
    }
}

package dev.tenure.examples.photos.image;

import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/// Makes a small upright JPEG of a picture that was found whole.
///
/// It decodes every n-th pixel only, so its memory depends on the thumbnail and not on the picture.
///
/// **Owner:** decoder and encoder belong to the current scope; a cancel aborts the decoder. **Threads:** any,
/// one picture each; decoding is native code that holds its carrier, so give it a platform thread.
/// **Limits:** 1280 decoded pixels a side, about 20 MB. **Fails:** [BrokenImage] if no decoder makes sense of
/// the file; `IOException` if the file cannot be read.
public final class Thumbnailer {
    private static final int DECODED_SIDE_MAX = 1280;
    private static final float QUALITY = 0.85f;
    private static final ResourceType<ImageReader> DECODER =
            ResourceType.of("image decoder", ImageReader::dispose).onCancel(ImageReader::abort);
    private static final ResourceType<ImageWriter> ENCODER =
            ResourceType.of("image encoder", ImageWriter::dispose).onCancel(ImageWriter::abort);

    private final int sideMax;

    /// Makes thumbnails of one size; smaller pictures keep theirs.
    ///
    /// @param sideMax pixels of the longer side, 1 to 1280
    public Thumbnailer(int sideMax) {
        if (sideMax < 1 || sideMax > DECODED_SIDE_MAX) {
            throw new IllegalArgumentException("sideMax: %d (expected: 1 to %d)".formatted(sideMax, DECODED_SIDE_MAX));
        }
        this.sideMax = sideMax;
    }

    /// Decodes the picture and encodes its thumbnail.
    ///
    /// @param picture a whole picture; the channel stays the caller's
    /// @return the bytes of a JPEG
    /// @throws IOException if the channel cannot be read
    public byte[] jpeg(SeekableByteChannel picture) throws IOException {
        var layout = ImageCheck.layout(picture);
        var facts = layout.facts();
        double scale = Math.min(1, (double) sideMax / Math.max(facts.width(), facts.height()));
        int width = Math.max(1, (int) Math.round(facts.width() * scale));
        int height = Math.max(1, (int) Math.round(facts.height() * scale));
        var small = decode(layout, picture).resized(width, height);
        return encode(facts.orientation().upright(small));
    }

    /// A damaged colour profile is common and no reason to show nothing, so a second try leaves it out.
    private static Pixels decode(Layout layout, SeekableByteChannel picture) throws IOException {
        try {
            return decode(layout, picture, true);
        } catch (BrokenImage first) {
            if (layout.pieces().profile().isEmpty()) {
                throw first;
            }
            return decode(layout, picture, false);
        }
    }

    private static Pixels decode(Layout layout, SeekableByteChannel picture, boolean withProfile) throws IOException {
        var format = layout.facts().kind().name();
        try (var scope = Scope.open("decode " + format);
                var stream = layout.pieces().open(picture, withProfile)) {
            var decoder = scope.acquire(
                    DECODER, () -> ImageIO.getImageReadersByFormatName(format).next());
            decoder.get().setInput(stream, true, true);
            try {
                return pixels(decoder.get(), layout);
            } catch (IOException | RuntimeException failed) {
                if (stream.failure().isPresent()) {
                    throw stream.failure().get();
                }
                scope.checkpoint();
                throw new BrokenImage("the %s cannot be decoded: %s".formatted(format, failed.getMessage()), failed);
            }
        }
    }

    private static Pixels pixels(ImageReader decoder, Layout layout) throws IOException {
        var facts = layout.facts();
        int columns = Math.ceilDiv(facts.width(), DECODED_SIDE_MAX);
        int rows = Math.ceilDiv(facts.height(), DECODED_SIDE_MAX);
        var param = decoder.getDefaultReadParam();
        param.setSourceSubsampling(columns, rows, columns / 2, rows / 2);
        if (layout.inks().isPresent()) {
            return FourInks.pixels(decoder.readRaster(0, param), layout.inks().get());
        }
        return Pixels.of(decoder.read(0, param));
    }

    private static byte[] encode(Pixels pixels) throws IOException {
        var bytes = new ByteArrayOutputStream();
        BufferedImage image = pixels.toImage();
        try (var scope = Scope.open("encode JPEG");
                var stream = new MemoryCacheImageOutputStream(bytes)) {
            var encoder = scope.acquire(
                    ENCODER, () -> ImageIO.getImageWritersByFormatName("JPEG").next());
            var param = encoder.get().getDefaultWriteParam();
            param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            param.setCompressionQuality(QUALITY);
            encoder.get().setOutput(stream);
            encoder.get().write(null, new IIOImage(image, null, null), param);
        }
        return bytes.toByteArray();
    }
}

package dev.tenure.examples.photos.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/// Walks the segments of a JPEG, its entropy-coded data included, up to the end marker.
///
/// **Owner:** the check or the thumbnail that called it. **Threads:** one.
/// **Limits:** a colour profile counts up to 4 MiB. Bytes after the end marker are ignored, as viewers do.
/// **Source:** ITU-T T.81 annex B; Adobe technical note 5116 for APP14.
final class JpegWalk {
    private static final int APP0 = 0xE0;
    private static final int APP1 = 0xE1;
    private static final int APP2 = 0xE2;
    private static final int APP14 = 0xEE;
    private static final int SOI = 0xD8;
    private static final int EOI = 0xD9;
    private static final int SOS = 0xDA;
    private static final int TEM = 0x01;
    private static final int NONE = -1;
    private static final int PROFILE_BYTES_MAX = 4 << 20;
    private static final byte[] START = {(byte) 0xFF, (byte) SOI};
    private static final byte[] START_JFIF = {
        (byte) 0xFF, (byte) SOI, (byte) 0xFF, (byte) APP0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0
    };

    private final ChannelReader in;
    private final Ranges picture = new Ranges();
    private final Ranges profile = new Ranges();
    private Optional<Orientation> orientation = Optional.empty();
    private Optional<Frame> frame = Optional.empty();
    private Optional<Integer> adobeTransform = Optional.empty();
    private boolean jfif;
    private boolean scanned;
    private int pendingMarker = NONE;

    private record Frame(int width, int height, String components) {}

    private JpegWalk(ChannelReader in) {
        this.in = in;
    }

    /// Walks to the end marker, or throws if there is none.
    static Layout whole(ChannelReader in) throws IOException {
        return new JpegWalk(in).walk(true);
    }

    /// Walks to the first scan of a file that was found whole before.
    static Layout layout(ChannelReader in) throws IOException {
        return new JpegWalk(in).walk(false);
    }

    private Layout walk(boolean toTheEnd) throws IOException {
        in.inside("the header of a JPEG");
        in.skip(START.length);
        for (int marker = marker(); marker != EOI; marker = marker()) {
            long at = in.position() - 2;
            if (marker == SOS && !toTheEnd) {
                picture.keep(at, in.size());
                return result();
            }
            segment(marker, at);
        }
        if (!scanned) {
            throw new BrokenImage("the JPEG ends before its first scan");
        }
        return result();
    }

    private int marker() throws IOException {
        if (pendingMarker != NONE) {
            int marker = pendingMarker;
            pendingMarker = NONE;
            return marker;
        }
        long at = in.position();
        if (in.u8() != 0xFF) {
            throw new BrokenImage("no marker at byte %d of the JPEG".formatted(at));
        }
        return afterFill();
    }

    private int afterFill() throws IOException {
        int code = in.u8();
        while (code == 0xFF) {
            code = in.u8();
        }
        return code;
    }

    private void segment(int marker, long at) throws IOException {
        if (marker == TEM) {
            return;
        }
        if (marker < 0xC0 || (marker >= 0xD0 && marker <= SOI)) {
            throw new BrokenImage("unexpected marker FF%02X at byte %d of the JPEG".formatted(marker, at));
        }
        in.inside("segment FF%02X at byte %d of a JPEG".formatted(marker, at));
        int length = in.u16();
        if (length < 2) {
            throw new BrokenImage("segment FF%02X at byte %d has length %d".formatted(marker, at, length));
        }
        long end = in.position() + length - 2;
        content(marker, at, end);
        in.skip(end - in.position());
        if (marker == SOS) {
            scan(at);
        }
    }

    private void content(int marker, long at, long end) throws IOException {
        switch (marker) {
            case APP0 -> jfif |= startsWith("JFIF\0", end);
            case APP1 -> exif(end);
            case APP2 -> profile(at, end);
            case APP14 -> adobe(at, end);
            case 0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF -> frame(marker, at, end);
            default -> {
                if (marker < APP0) {
                    picture.keep(at, end);
                }
            }
        }
    }

    private boolean startsWith(String signature, long end) throws IOException {
        return end - in.position() >= signature.length()
                && Arrays.equals(in.bytes(signature.length()), signature.getBytes(ISO_8859_1));
    }

    private void exif(long end) throws IOException {
        if (orientation.isEmpty() && startsWith("Exif\0\0", end)) {
            orientation = Optional.of(Exif.orientation(in.bytes((int) (end - in.position()))));
        }
    }

    private void profile(long at, long end) throws IOException {
        if (startsWith("ICC_PROFILE\0", end) && profile.bytes() + end - at <= PROFILE_BYTES_MAX) {
            profile.keep(at, end);
        }
    }

    private void adobe(long at, long end) throws IOException {
        if (startsWith("Adobe", end) && end - in.position() >= 7) {
            in.skip(6);
            adobeTransform = Optional.of(in.u8());
            picture.keep(at, end);
        }
    }

    private void frame(int marker, long at, long end) throws IOException {
        if (marker > 0xC2) {
            throw new UnsupportedImage(
                    "JPEG process SOF%d is not supported (expected: baseline, extended or progressive, Huffman coded)"
                            .formatted(marker - 0xC0));
        }
        if (frame.isPresent() || end - in.position() < 6) {
            throw new BrokenImage("unexpected frame header at byte %d of the JPEG".formatted(at));
        }
        int precision = in.u8();
        int height = in.u16();
        int width = in.u16();
        int count = in.u8();
        if (precision != 8 || (count != 1 && count != 3 && count != 4)) {
            throw new UnsupportedImage("JPEG with %d components of %d bits is not supported (expected: 1, 3 or 4 of 8)"
                    .formatted(count, precision));
        }
        if (end - in.position() < 3L * count) {
            throw new BrokenImage("frame header at byte %d of the JPEG is too short".formatted(at));
        }
        ImageCheck.requirePixels(width, height);
        frame = Optional.of(new Frame(width, height, components(count)));
        picture.keep(at, end);
    }

    private String components(int count) throws IOException {
        var ids = new StringBuilder();
        for (int i = 0; i < count; i++) {
            ids.append((char) in.u8());
            in.skip(2);
        }
        return ids.toString();
    }

    private void scan(long at) throws IOException {
        if (frame.isEmpty()) {
            throw new BrokenImage("scan before the frame header at byte %d of the JPEG".formatted(at));
        }
        in.inside("the picture data of a JPEG");
        long start = in.position();
        int code = 0;
        while (code == 0 || (code >= 0xD0 && code < SOI)) {
            in.skipPast(0xFF);
            code = afterFill();
        }
        if (in.position() - start <= 2) {
            throw new BrokenImage("scan without data at byte %d of the JPEG".formatted(at));
        }
        scanned = true;
        pendingMarker = code;
        picture.keep(at, in.position() - 2);
    }

    private Layout result() {
        var found = frame.orElseThrow(() -> new BrokenImage("the JPEG has no frame header"));
        var facts =
                new ImageFacts(ImageKind.JPEG, found.width(), found.height(), orientation.orElse(Orientation.UPRIGHT));
        return new Layout(facts, new Layout.Pieces(prefix(found), profile.parts(), picture.parts()), inks(found));
    }

    /// Three components without a marker that says otherwise are luminance and colour: the decoder of the JDK
    /// takes them for red, green and blue if none is subsampled, so it is told.
    private ByteBuffer prefix(Frame found) {
        boolean luminance = switch (found.components().length()) {
            case 1 -> true;
            case 3 -> jfif || (adobeTransform.isEmpty() && !found.components().equals("RGB"));
            default -> false;
        };
        return ByteBuffer.wrap(luminance ? START_JFIF : START);
    }

    private Optional<Layout.FourInks> inks(Frame found) {
        return found.components().length() == 4
                ? Optional.of(new Layout.FourInks(adobeTransform.orElse(0) == 2, adobeTransform.isPresent()))
                : Optional.empty();
    }
}

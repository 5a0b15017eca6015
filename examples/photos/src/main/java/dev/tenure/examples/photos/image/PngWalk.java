package dev.tenure.examples.photos.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/// Walks the chunks of a PNG, checksums and compressed pixels included, up to its end chunk.
///
/// **Owner:** the check or the thumbnail that called it, which closes it. **Threads:** one.
/// **Limits:** of an Exif chunk the first 64 KiB count. Bytes after the end chunk are ignored, as viewers do.
/// **Source:** PNG specification, third edition, sections 5 and 11.
final class PngWalk implements AutoCloseable {
    static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final int EXIF_BYTES_MAX = 1 << 16;

    private final ChannelReader in;
    private final boolean whole;
    private final Ranges picture = new Ranges();
    private final CRC32 checksum = new CRC32();
    private Optional<PngHeader> header = Optional.empty();
    private Optional<PngPixels> pixels = Optional.empty();
    private Orientation orientation = Orientation.UPRIGHT;
    private boolean palette;
    private boolean ended;

    private PngWalk(ChannelReader in, boolean whole) {
        this.in = in;
        this.whole = whole;
    }

    /// Walks to the end chunk and inflates every row, or throws.
    static Layout whole(ChannelReader in) throws IOException {
        try (var walk = new PngWalk(in, true)) {
            return walk.walk();
        }
    }

    /// Walks a file that was found whole before.
    static Layout layout(ChannelReader in) throws IOException {
        try (var walk = new PngWalk(in, false)) {
            return walk.walk();
        }
    }

    @Override
    public void close() {
        pixels.ifPresent(PngPixels::close);
    }

    private Layout walk() throws IOException {
        in.skip(SIGNATURE.length);
        picture.keep(0, SIGNATURE.length);
        while (!ended) {
            in.inside("the chunks of a PNG");
            chunk();
        }
        var found = header.orElseThrow(() -> new BrokenImage("the PNG has no header"));
        if (whole) {
            pixels.orElseThrow(() -> new BrokenImage("the PNG has no picture data"))
                    .requireComplete();
        }
        var facts = new ImageFacts(ImageKind.PNG, found.width(), found.height(), orientation);
        return new Layout(
                facts, new Layout.Pieces(ByteBuffer.allocate(0), List.of(), picture.parts()), Optional.empty());
    }

    private void chunk() throws IOException {
        long at = in.position();
        long length = in.u32();
        byte[] type = in.bytes(4);
        var name = new String(type, ISO_8859_1);
        if (length > Integer.MAX_VALUE || !name.chars().allMatch(PngWalk::isLetter)) {
            throw new BrokenImage("no chunk at byte %d of the PNG".formatted(at));
        }
        in.inside("chunk %s at byte %d of a PNG".formatted(name, at));
        checksum.reset();
        checksum.update(type);
        long end = in.position() + length;
        content(name, length);
        rest(end - in.position());
        long expected = in.u32();
        if (whole && expected != checksum.getValue()) {
            throw new BrokenImage("wrong checksum of chunk %s at byte %d of the PNG".formatted(name, at));
        }
        if (isForTheDecoder(name)) {
            picture.keep(at, in.position());
        }
    }

    private static boolean isLetter(int c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    private static boolean isForTheDecoder(String name) {
        return Character.isUpperCase(name.charAt(0)) || name.equals("tRNS");
    }

    private void content(String name, long length) throws IOException {
        if (header.isEmpty() != name.equals("IHDR")) {
            throw new BrokenImage("chunk %s is out of its place in the PNG".formatted(name));
        }
        switch (name) {
            case "IHDR" -> header = Optional.of(PngHeader.parse(summed(length, PngHeader.BYTES)));
            case "PLTE" -> palette = true;
            case "IDAT" -> data(length);
            case "eXIf" -> orientation = Exif.orientation(summed(length, EXIF_BYTES_MAX));
            case "IEND" -> ended = true;
            default -> {}
        }
    }

    private byte[] summed(long length, int bytesMax) throws IOException {
        byte[] bytes = in.bytes((int) Math.min(length, bytesMax));
        checksum.update(bytes);
        return bytes;
    }

    private void data(long length) throws IOException {
        if (header.orElseThrow().needsPalette() && !palette) {
            throw new BrokenImage("the PNG has no palette");
        }
        if (!whole) {
            return;
        }
        if (pixels.isEmpty()) {
            pixels = Optional.of(new PngPixels(header.orElseThrow().inflatedBytes()));
        }
        var inflating = pixels.orElseThrow();
        in.pass(length, (bytes, offset, count) -> {
            checksum.update(bytes, offset, count);
            inflating.take(ByteBuffer.wrap(bytes, offset, count));
        });
    }

    private void rest(long count) throws IOException {
        if (whole) {
            in.pass(count, checksum::update);
        } else {
            in.skip(count);
        }
    }
}

package dev.tenure.examples.photos.image;

import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where in its file a picture is, without the metadata that a decoder would only store.
record Layout(ImageFacts facts, Pieces pieces, Optional<FourInks> inks) {

    /// A JPEG in cyan, magenta, yellow and black, which the decoder hands out unconverted.
    record FourInks(boolean luminance, boolean inverted) {}

    /// What a decoder gets to see: bytes of our own, the colour profile if it is sound, and the picture.
    record Pieces(ByteBuffer prefix, List<Ranges.Part> profile, List<Ranges.Part> picture) {
        PickedStream open(SeekableByteChannel file, boolean withProfile) {
            var parts = new ArrayList<Ranges.Part>();
            if (withProfile) {
                parts.addAll(profile);
            }
            parts.addAll(picture);
            return new PickedStream(file, prefix, parts);
        }
    }
}

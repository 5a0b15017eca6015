package dev.tenure.uploads.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Drives a parser over a whole body in fragments and writes down what it says, content joined per part.
final class Driven {
    static final MultipartLimits LIMITS = new MultipartLimits(10, 300, 1000, 5000);

    private final List<String> said = new ArrayList<>();
    private final StringBuilder content = new StringBuilder();

    static List<String> all(String body, MultipartLimits limits, int fragmentBytes) {
        var parser = new MultipartParser(boundary("B"), limits);
        return new Driven().run(parser, body.getBytes(StandardCharsets.ISO_8859_1), fragmentBytes);
    }

    static List<String> all(String body, int fragmentBytes) {
        return all(body, LIMITS, fragmentBytes);
    }

    static Boundary boundary(String text) {
        return ((Boundary.Valid) Boundary.read("multipart/form-data; boundary=\"" + text + "\"")).boundary();
    }

    List<String> run(MultipartParser parser, byte[] body, int fragmentBytes) {
        for (var from = 0; from < body.length; from += fragmentBytes) {
            var in = ByteBuffer.wrap(body, from, Math.min(fragmentBytes, body.length - from))
                    .slice();
            if (!drain(parser, in)) {
                return said;
            }
        }
        write(parser.end());
        return said;
    }

    private boolean drain(MultipartParser parser, ByteBuffer in) {
        while (true) {
            var event = parser.next(in);
            if (event instanceof Event.NeedMore) {
                if (in.hasRemaining()) {
                    throw new AssertionError("asks for more with " + in.remaining() + " bytes left");
                }
                return true;
            }
            write(event);
            if (event instanceof Event.Refused) {
                return false;
            }
        }
    }

    private void write(Event event) {
        switch (event) {
            case Event.PartBegan began -> {
                var head = began.head();
                said.add("part " + head.name() + " " + head.filename().orElse("-") + " " + head.contentType());
                content.setLength(0);
            }
            case Event.PartBytes bytes -> content.append(StandardCharsets.ISO_8859_1.decode(bytes.bytes()));
            case Event.PartEnded _ -> said.add("ended [" + content + "]");
            case Event.Finished _ -> said.add("finished");
            case Event.Refused refused -> said.add(refused.kind() + ": " + refused.why());
            case Event.NeedMore _ -> said.add("need more");
        }
    }
}

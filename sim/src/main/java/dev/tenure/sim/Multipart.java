package dev.tenure.sim;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/// A `multipart/form-data` body, for [Sim#exchange].
///
/// **Threads:** immutable. **Source:** RFC 7578.
public final class Multipart {
    private static final String BOUNDARY = "sim-boundary";

    private final List<Part> parts;

    private static final class Part {
        private final String head;
        private final byte[] content;

        Part(String head, byte[] content) {
            this.head = head;
            this.content = content;
        }
    }

    private Multipart(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /// A body with one file.
    ///
    /// @param field the name of the form field; the file is called the same, with `.bin`
    /// @param content its bytes
    /// @return the body
    public static Multipart file(String field, byte[] content) {
        return new Multipart(List.of()).andFile(field, content);
    }

    /// The same with another file after it.
    ///
    /// @param field the name of the form field
    /// @param content its bytes
    /// @return the longer body
    public Multipart andFile(String field, byte[] content) {
        String head = "Content-Disposition: form-data; name=\"%s\"; filename=\"%s.bin\"\r\n".formatted(field, field)
                + "Content-Type: application/octet-stream\r\n\r\n";
        return and(new Part(head, content.clone()));
    }

    /// The same with a text field after it.
    ///
    /// @param field its name
    /// @param text its value
    /// @return the longer body
    public Multipart andField(String field, String text) {
        return and(
                new Part("Content-Disposition: form-data; name=\"%s\"\r\n\r\n".formatted(field), text.getBytes(UTF_8)));
    }

    private Multipart and(Part part) {
        var longer = new ArrayList<>(parts);
        longer.add(part);
        return new Multipart(longer);
    }

    String contentType() {
        return "multipart/form-data; boundary=" + BOUNDARY;
    }

    byte[] bytes() {
        var body = new ByteArrayOutputStream();
        for (Part part : parts) {
            body.writeBytes(("--" + BOUNDARY + "\r\n" + part.head).getBytes(UTF_8));
            body.writeBytes(part.content);
            body.writeBytes("\r\n".getBytes(UTF_8));
        }
        body.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(UTF_8));
        return body.toByteArray();
    }
}

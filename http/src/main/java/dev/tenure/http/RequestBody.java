package dev.tenure.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/// The body of a request, read once, by one reader, while its exchange lasts.
///
/// **Owner:** the exchange. **Ends:** with it; a read after that, and a read by a second thread at once, throws
/// [IllegalStateException]. **Threads:** one at a time; a read waits for the client. **Limits:** the route's
/// `bodyBytesMax`; 64 KiB wait here, then the client is held up. The first read asks a client that waits for 100.
/// **Fails:** [BodyTooLarge]; [HttpStatusException] with 400 for a malformed body; `Cancelled`.
public interface RequestBody {
    /// The bytes as they come. Every call gives the same stream; closing it does nothing.
    ///
    /// @return the stream; the bytes are copies of the application's own
    InputStream stream();

    /// All bytes.
    ///
    /// @return at most the route's limit
    default byte[] bytes() {
        try {
            return stream().readAllBytes();
        } catch (IOException broken) {
            throw new HttpStatusException(400, "the body is not complete", broken);
        }
    }

    /// All of it as UTF-8.
    ///
    /// @return the text
    /// @throws HttpStatusException with 400 if it is not UTF-8
    default String text() {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes())).toString();
        } catch (CharacterCodingException wrong) {
            throw new HttpStatusException(400, "the body is not UTF-8", wrong);
        }
    }

    /// All of it as JSON, by the server's codec.
    ///
    /// @param <T> the type
    /// @param type the type
    /// @return the value
    /// @throws HttpStatusException with 400 if it is not JSON of that type
    <T> T json(Class<T> type);
}

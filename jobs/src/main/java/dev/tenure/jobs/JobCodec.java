package dev.tenure.jobs;

/// Turns a payload into the bytes of its row and back.
///
/// **Threads:** any; keeps nothing. **Limits:** the bytes are read whole at each claim, so keep them small: an
/// id rather than the thing. **Fails:** an encoder fails the enqueue; a decoder that fails fails the attempt,
/// as a handler would.
///
/// @param <T> the payload
public interface JobCodec<T> {
    /// The bytes to store.
    ///
    /// @param payload what the job is about
    /// @return its bytes; the caller keeps them
    byte[] encode(T payload);

    /// The payload of stored bytes, which an older version of the program may have written.
    ///
    /// @param stored bytes that [#encode] gave
    /// @return the payload
    T decode(byte[] stored);
}

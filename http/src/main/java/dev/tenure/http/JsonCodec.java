package dev.tenure.http;

/// Turns values into JSON and back; an adapter implements it.
///
/// **Threads:** any.
public interface JsonCodec {
    /// Writes a value.
    ///
    /// @param value the value
    /// @return UTF-8
    byte[] write(Object value);

    /// Reads a value.
    ///
    /// @param <T> its type
    /// @param json UTF-8
    /// @param type its type
    /// @return the value
    /// @throws HttpStatusException with 400 if that is not JSON of this type
    <T> T read(byte[] json, Class<T> type);
}

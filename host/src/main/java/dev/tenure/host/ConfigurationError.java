package dev.tenure.host;

/// A setting that cannot work, found before anything was opened with it.
///
/// The message is one line: `key: value (expected: range)`. [Host#exitCode] prints it and answers 2.
///
/// **Threads:** the builder's. **Held:** nothing: what was open is rolled back. **Source:** design 8.
public final class ConfigurationError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// An error with a message of its own form.
    ///
    /// @param message one line naming the setting and what to do
    public ConfigurationError(String message) {
        super(message);
    }

    /// An error with the failure that showed it, such as a port that is taken.
    ///
    /// @param message one line naming the setting and what to do
    /// @param cause what happened
    public ConfigurationError(String message, Throwable cause) {
        super(message, cause);
    }

    /// The usual form.
    ///
    /// @param key the setting
    /// @param value what was given
    /// @param expected the range
    /// @return the error, to be thrown
    public static ConfigurationError of(String key, Object value, String expected) {
        return new ConfigurationError("%s: %s (expected: %s)".formatted(key, value, expected));
    }
}

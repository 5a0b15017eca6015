package dev.tenure.jobs;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// A kind of job: its name in the table and the form of its payload.
///
/// Two types of one name are the same kind; the name is stored, so renaming it abandons the rows of the old one.
///
/// **Threads:** immutable. **Limits:** the name has 1 to 100 characters.
///
/// @param <T> the payload
public final class JobType<T> {
    private static final int NAME_CHARACTERS_MAX = 100;

    private final String name;
    private final JobCodec<T> codec;

    private JobType(String name, JobCodec<T> codec) {
        if (name.isBlank() || name.length() > NAME_CHARACTERS_MAX) {
            throw new IllegalArgumentException(
                    "job type name: '" + name + "' (expected: 1 to " + NAME_CHARACTERS_MAX + " characters)");
        }
        this.name = name;
        this.codec = Objects.requireNonNull(codec, "codec");
    }

    /// A kind of job with a payload of any form.
    ///
    /// @param <T> the payload
    /// @param name its name in the table
    /// @param codec the form of its payload
    /// @return the type
    public static <T> JobType<T> of(String name, JobCodec<T> codec) {
        return new JobType<>(name, codec);
    }

    /// A kind of job whose payload is a text, such as an id.
    ///
    /// @param name its name in the table
    /// @return the type
    public static JobType<String> text(String name) {
        return new JobType<>(name, Text.CODEC);
    }

    /// A job of this type, due at once and without a key.
    ///
    /// @param payload what it is about
    /// @return the job, not yet enqueued
    public Job<T> of(T payload) {
        return Job.due(this, payload);
    }

    /// Its name in the table.
    ///
    /// @return the name
    public String name() {
        return name;
    }

    /// The form of its payload.
    ///
    /// @return the codec
    public JobCodec<T> codec() {
        return codec;
    }

    @Override
    public String toString() {
        return name;
    }

    private enum Text implements JobCodec<String> {
        CODEC;

        @Override
        public byte[] encode(String payload) {
            return payload.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] stored) {
            return new String(stored, StandardCharsets.UTF_8);
        }
    }
}

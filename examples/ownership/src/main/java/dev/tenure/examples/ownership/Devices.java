package dev.tenure.examples.ownership;

import java.io.IOException;

/// What an import needs from outside: plain interfaces, of which nobody but their user knows when they end.
///
/// @param camera where pictures come from
/// @param store where they go
/// @param decoders read them
/// @param uplink tells others of them
public record Devices(Camera camera, Store store, Decoders decoders, Uplink uplink) {
    /// Takes pictures.
    @FunctionalInterface
    public interface Camera {
        /// Connects.
        ///
        /// @return to be closed
        /// @throws IOException if there is no connection
        Session connect() throws IOException;
    }

    /// A connection to a camera.
    public interface Session extends AutoCloseable {
        /// Makes the camera listen.
        ///
        /// @throws IOException if it does not
        void login() throws IOException;

        /// How large the newest picture is.
        ///
        /// @return bytes
        /// @throws IOException if the connection fails
        int pictureBytes() throws IOException;

        @Override
        void close() throws IOException;
    }

    /// Keeps files, and a catalogue of those that are complete.
    public interface Store {
        /// Creates a file.
        ///
        /// @param name its name
        /// @return to be closed when it is written
        /// @throws IOException if it cannot be created
        Draft create(String name) throws IOException;

        /// Deletes a file, if it is there.
        ///
        /// @param name its name
        /// @throws IOException if it cannot be deleted
        void delete(String name) throws IOException;

        /// Reads a file that is written and closed once more.
        ///
        /// @param name its name
        /// @throws IOException if it is not as it was written
        void verify(String name) throws IOException;

        /// Enters a file in the catalogue: from then on others rely on it.
        ///
        /// @param name its name
        /// @throws IOException if it was not entered
        void catalogue(String name) throws IOException;
    }

    /// A file that is written.
    public interface Draft extends AutoCloseable {
        /// Its name.
        ///
        /// @return as it was created
        String name();

        /// Writes.
        ///
        /// @param bytes how many
        /// @throws IOException if they are not written
        void write(int bytes) throws IOException;

        @Override
        void close() throws IOException;
    }

    /// Opens decoders.
    @FunctionalInterface
    public interface Decoders {
        /// Opens one, which takes a while.
        ///
        /// @return to be closed
        /// @throws IOException if there is none
        Decoder open() throws IOException;
    }

    /// Holds native memory.
    public interface Decoder extends AutoCloseable {
        /// Reads the size of a picture.
        ///
        /// @param name the picture
        /// @return its width
        /// @throws IOException if it is none
        int width(String name) throws IOException;

        @Override
        void close() throws IOException;
    }

    /// A line to others.
    @FunctionalInterface
    public interface Uplink {
        /// Opens a message.
        ///
        /// @return to be closed, which waits until it was received
        /// @throws IOException if the line is down
        Message open() throws IOException;
    }

    /// A message under way.
    public interface Message extends AutoCloseable {
        /// Adds to it.
        ///
        /// @param text what
        /// @throws IOException if the line is down
        void say(String text) throws IOException;

        /// Waits until all of it was received, and ends the message.
        @Override
        void close() throws IOException;
    }
}

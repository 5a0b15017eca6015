package dev.tenure.blobs.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// Everything that may fail because of the disk, one effect per method.
///
/// **Threads:** any. An interrupt closes the channel it meets: callers keep interrupts away.
public interface Disk {
    /// Creates a file for this user alone.
    ///
    /// @param file must not exist
    /// @return the file, open for writing
    /// @throws IOException if it exists or can't be created
    FileChannel create(Path file) throws IOException;

    /// Writes all the bytes.
    ///
    /// @param file open for writing
    /// @param bytes consumed
    /// @throws IOException if the disk is full or fails
    void write(FileChannel file, ByteBuffer bytes) throws IOException;

    /// Waits until a file's content and length are durable.
    ///
    /// @param file open for writing
    /// @throws IOException if the disk fails
    void force(FileChannel file) throws IOException;

    /// Waits until the names in a directory are durable.
    ///
    /// @param directory the directory
    /// @throws IOException if the disk fails
    void forceDirectory(Path directory) throws IOException;

    /// Gives a file another name in one step.
    ///
    /// @param from the present name
    /// @param to the new name, which must be free
    /// @throws IOException if that can't be done in one step, for one between two file systems
    void move(Path from, Path to) throws IOException;

    /// Opens a file for reading.
    ///
    /// @param file not a link
    /// @return the file, open for reading
    /// @throws IOException if it does not exist or can't be read
    FileChannel open(Path file) throws IOException;

    /// Removes a file.
    ///
    /// @param file may be missing
    /// @return whether it was there
    /// @throws IOException if it is there still
    boolean delete(Path file) throws IOException;

    /// How many bytes this user can still write.
    ///
    /// @param path anything on the file system
    /// @return a snapshot
    /// @throws IOException if the disk fails
    long usableBytes(Path path) throws IOException;

    /// The real disk.
    ///
    /// @return has no state
    static Disk local() {
        return new LocalDisk();
    }
}

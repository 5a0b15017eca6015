package dev.tenure.blobs;

import dev.tenure.core.Owned;
import dev.tenure.core.Scope;
import dev.tenure.core.Staged;
import dev.tenure.host.Component;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;

/// Bytes under keys, published together with a transaction that refers to them.
///
/// **States** of a blob: `STAGED` (temporary key, durable) `-> PLACED` (final key, nobody refers to it) `->
/// REFERENCED` by [#settle], `DISCARDED` by [#discard] or with its scope, or left to the reclaimer by [#leave] when
/// nobody knows whether the transaction committed. **Owner:** up to `REFERENCED` the scope it was staged or placed
/// in; then the row. **Threads:** any; a staged or placed blob belongs to the thread of its scope. **Fails:**
/// [BlobException]. **Source:** design 7.
public interface Blobs extends Component {
    /// Copies a stream to a temporary key and waits until it is durable. Does not close the stream. A cancelled
    /// stage ends at the next chunk and leaves no file.
    ///
    /// @param into will own the staged blob
    /// @param source read to its end
    /// @return the staged blob
    /// @throws IOException if the source fails; a failure of the store is a [BlobException]
    Staged<StagedBlob> stage(Scope into, InputStream source) throws IOException;

    /// [#stage(Scope, InputStream)] into the current scope.
    ///
    /// @param source read to its end
    /// @return the staged blob
    /// @throws IOException if the source fails
    default Staged<StagedBlob> stage(InputStream source) throws IOException {
        return stage(Scope.current(), source);
    }

    /// Copies a file to a temporary key and waits until it is durable. Leaves the file as it is.
    ///
    /// @param into will own the staged blob
    /// @param source a readable file
    /// @return the staged blob
    /// @throws IOException if the source fails
    Staged<StagedBlob> stage(Scope into, Path source) throws IOException;

    /// [#stage(Scope, Path)] into the current scope.
    ///
    /// @param source a readable file
    /// @return the staged blob
    /// @throws IOException if the source fails
    default Staged<StagedBlob> stage(Path source) throws IOException {
        return stage(Scope.current(), source);
    }

    /// Gives a staged blob its final key, in one step. A reader sees nothing or all of it. The key is new: what
    /// exists is never overwritten. On an exception nothing was placed, and the staged blob is discarded with its
    /// scope.
    ///
    /// @param into will own the placed blob
    /// @param staged a blob of this store
    /// @return the placed blob
    Staged<PlacedBlob> place(Scope into, Staged<StagedBlob> staged);

    /// [#place(Scope, Staged)] into the current scope.
    ///
    /// @param staged a blob of this store
    /// @return the placed blob
    default Staged<PlacedBlob> place(Staged<StagedBlob> staged) {
        return place(Scope.current(), staged);
    }

    /// Says that a transaction which refers to the key has committed: from here on the blob belongs to that row.
    ///
    /// @param placed a blob of this store
    void settle(Staged<PlacedBlob> placed);

    /// Says that no transaction which refers to the key has committed, and deletes the bytes now.
    ///
    /// @param placed a blob of this store
    void discard(Staged<PlacedBlob> placed);

    /// Says that nobody knows whether a transaction which refers to the key has committed: the reclaimer will find
    /// out.
    ///
    /// @param placed a blob of this store
    void leave(Staged<PlacedBlob> placed);

    /// Opens a blob for reading.
    ///
    /// @param into will own the channel
    /// @param key a key of this store
    /// @return the open channel
    Owned<SeekableByteChannel> open(Scope into, String key);

    /// [#open(Scope, String)] into the current scope.
    ///
    /// @param key a key of this store
    /// @return the open channel
    default Owned<SeekableByteChannel> open(String key) {
        return open(Scope.current(), key);
    }

    /// Deletes a blob to which nobody refers any more. Readers that have it open may finish. Does nothing if it is
    /// gone.
    ///
    /// @param key a key of this store
    void delete(String key);

    /// Runs the reclaimer once, on this thread: deletes what is older than the grace age and referred to by nobody.
    ///
    /// @return what it did
    ReclaimReport reclaim();
}

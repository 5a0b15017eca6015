package dev.tenure.http;

import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.host.ConfigurationError;
import dev.tenure.http.internal.files.ClassPathFiles;
import dev.tenure.http.internal.files.ConfinedDirectory;
import dev.tenure.http.internal.files.MediaTypes;
import dev.tenure.http.internal.files.SafePath;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Optional;

/// Serves files below a directory or a folder of the class path, for the pattern `/{path...}` or one that ends so.
///
/// A directory is resolved, links included, when [#in] is called, and again at [#reopen()]; the very directory that
/// was found then is served, wherever a link is turned to later. Below it no link is followed, and no name that
/// begins with a dot is served; `index.html` stands for its directory. Tags, dates, 304, single ranges and HEAD are
/// answered.
///
/// **Owner:** nobody: nothing is open between requests; an open file belongs to the exchange's scope. **Ends:** with
/// the exchange, on every branch. **Threads:** any. **Limits:** a class path file has at most 16 MiB. **Fails:** 400
/// or 404 for what is not a plain file below the root; a file that gets shorter while it is sent breaks its answer
/// off. **Source:** RFC 9110 sections 13 and 14.
public final class StaticFiles implements Handler {
    private static final ResourceType<SeekableByteChannel> FILE =
            ResourceType.of("static file", SeekableByteChannel::close);

    /// Where files come from.
    private sealed interface Source {
        /// A directory.
        final class Directory implements Source {
            private final Path path;
            private volatile ConfinedDirectory resolved;

            Directory(Path path) {
                this.path = path;
                this.resolved = resolve(path);
            }

            private static ConfinedDirectory resolve(Path path) {
                try {
                    return ConfinedDirectory.resolve(path);
                } catch (IOException failure) {
                    throw new ConfigurationError(
                            "static files: %s (expected: a directory that can be read: %s)"
                                    .formatted(path, failure.getClass().getSimpleName()),
                            failure);
                }
            }
        }

        /// A folder of the class path.
        record ClassPath(ClassPathFiles files) implements Source {}
    }

    private final Source source;

    private StaticFiles(Source source) {
        this.source = source;
    }

    /// Files of a directory.
    ///
    /// @param root resolved now
    /// @return the handler
    /// @throws ConfigurationError if it is no directory
    public static StaticFiles in(Path root) {
        return new StaticFiles(new Source.Directory(root));
    }

    /// Files of a folder on the class path, as the thread's context class loader sees it.
    ///
    /// @param folder such as `web`
    /// @return the handler
    public static StaticFiles onClassPath(String folder) {
        return onClassPath(folder, Thread.currentThread().getContextClassLoader());
    }

    /// Files of a folder on the class path.
    ///
    /// @param folder such as `web`
    /// @param loader finds them
    /// @return the handler
    public static StaticFiles onClassPath(String folder, ClassLoader loader) {
        if (SafePath.of(folder).isEmpty()) {
            throw ConfigurationError.of("static files", folder, "a folder of the class path, without slashes around");
        }
        return new StaticFiles(new Source.ClassPath(new ClassPathFiles(loader, folder)));
    }

    /// Resolves the directory again: from the next request on, the directory that its path leads to now is served.
    public void reopen() {
        if (source instanceof Source.Directory directory) {
            directory.resolved = Source.Directory.resolve(directory.path);
        }
    }

    @Override
    public Response handle(Exchange exchange) throws IOException {
        String path = exchange.path("path");
        String file = path.isEmpty() || path.endsWith("/") ? path + "index.html" : path;
        Optional<SafePath> safe = SafePath.of(file);
        if (safe.isEmpty()) {
            return ErrorText.of(404);
        }
        var found = switch (source) {
            case Source.Directory directory -> inDirectory(directory.resolved, safe.get());
            case Source.ClassPath classPath -> onClassPath(classPath.files(), safe.get());
        };
        return found.orElseGet(() -> ErrorText.of(404));
    }

    private static Optional<Response> inDirectory(ConfinedDirectory root, SafePath path) throws IOException {
        // The open ends before any interrupt of ours could close the channel half-way.
        var opened = Scope.shielded(() -> root.open(path));
        return opened.map(file -> {
            var handle = Scope.current().own(FILE, file.channel());
            return Response.ok()
                    .type(MediaTypes.of(path.file()))
                    .etag(file.tag())
                    .lastModified(file.modified())
                    .header("X-Content-Type-Options", "nosniff")
                    .file(handle);
        });
    }

    private static Optional<Response> onClassPath(ClassPathFiles files, SafePath path) throws IOException {
        return files.find(path)
                .map(asset -> Response.ok()
                        .type(MediaTypes.of(path.file()))
                        .etag(asset.tag())
                        .header("X-Content-Type-Options", "nosniff")
                        .bytes(asset.bytes()));
    }
}

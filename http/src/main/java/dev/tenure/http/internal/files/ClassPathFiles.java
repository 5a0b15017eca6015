package dev.tenure.http.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Files of a folder on the class path. Each is read once and kept: there are only so many.
///
/// **Owner:** nobody; nothing stays open. **Threads:** any. **Limits:** a file has at most 16 MiB.
public final class ClassPathFiles {
    private static final int FILE_BYTES_MAX = 16 * 1024 * 1024;
    private static final int TAG_BYTES = 16;

    /// A file's content and its tag.
    public static final class Asset {
        private final byte[] bytes;
        private final String tag;

        private Asset(byte[] bytes) {
            this.bytes = bytes;
            this.tag = tagOf(bytes);
        }

        /// The content.
        ///
        /// @return not to be written to
        public byte[] bytes() {
            return bytes;
        }

        /// A strong tag.
        ///
        /// @return without quotes
        public String tag() {
            return tag;
        }

        private static String tagOf(byte[] bytes) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
                return HexFormat.of().formatHex(digest, 0, TAG_BYTES);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-256", e);
            }
        }
    }

    private final ClassLoader loader;
    private final String folder;
    private final ConcurrentHashMap<String, Asset> known = new ConcurrentHashMap<>();

    /// The files of a folder.
    ///
    /// @param loader finds them
    /// @param folder without slashes around
    public ClassPathFiles(ClassLoader loader, String folder) {
        this.loader = loader;
        this.folder = folder;
    }

    /// Finds a file.
    ///
    /// @param path below the folder
    /// @return empty if there is none
    /// @throws IOException if it can't be read
    public Optional<Asset> find(SafePath path) throws IOException {
        Asset kept = known.get(path.text());
        if (kept != null) {
            return Optional.of(kept);
        }
        String name = folder + "/" + path.text();
        URL url = loader.getResource(name);
        if (url == null || isDirectory(url, name)) {
            return Optional.empty();
        }
        try (InputStream in = open(url)) {
            byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
            if (bytes.length > FILE_BYTES_MAX) {
                throw new IOException(
                        "class path file %s: more than %d bytes (expected: less; serve it from a directory)"
                                .formatted(name, FILE_BYTES_MAX));
            }
            return Optional.of(known.computeIfAbsent(path.text(), _ -> new Asset(bytes)));
        }
    }

    /// Without the cache of jar files, whose entries would stay open.
    private static InputStream open(URL url) throws IOException {
        var connection = url.openConnection();
        connection.setUseCaches(false);
        return connection.getInputStream();
    }

    private boolean isDirectory(URL url, String name) {
        if (url.getProtocol().equals("file")) {
            try {
                return !Files.isRegularFile(Path.of(url.toURI()));
            } catch (URISyntaxException _) {
                return true;
            }
        }
        return loader.getResource(name + "/") != null;
    }
}

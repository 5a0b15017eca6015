package dev.tenure.it.photos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What is in a data directory that no process uses.
final class PhotosStore {
    private final Path data;

    PhotosStore(Path data) {
        this.data = data;
    }

    /// The values of one column, nulls left out.
    List<String> column(String query) throws SQLException {
        var values = new ArrayList<String>();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("photos.db"));
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            while (rows.next()) {
                var value = rows.getString(1);
                if (value != null) {
                    values.add(value);
                }
            }
        }
        return values;
    }

    Set<String> photos() throws SQLException {
        return new TreeSet<>(column("SELECT id FROM photo"));
    }

    /// The keys that rows refer to.
    List<String> referenced() throws SQLException {
        return column("SELECT blob FROM photo UNION ALL SELECT thumb FROM photo");
    }

    /// The keys under which there are bytes.
    Set<String> objects() throws IOException {
        return files(data.resolve("blobs").resolve("objects"))
                .map(file -> file.getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// What is left of uploads and staged blobs; lock files of a living process do not count.
    List<String> leftovers() throws IOException {
        return Stream.concat(files(data.resolve("blobs").resolve("staging")), files(data.resolve("parts")))
                .map(file -> data.relativize(file).toString())
                .filter(file -> !file.endsWith(".lock"))
                .toList();
    }

    private static Stream<Path> files(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Stream.empty();
        }
        try (var found = Files.walk(directory)) {
            return found.filter(Files::isRegularFile).toList().stream();
        }
    }
}

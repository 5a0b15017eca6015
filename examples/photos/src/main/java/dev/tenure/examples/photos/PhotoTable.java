package dev.tenure.examples.photos;

import dev.tenure.core.Probe;
import dev.tenure.core.TimeSource;
import dev.tenure.db.Transaction;
import dev.tenure.examples.photos.image.ImageKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The statements on table `photo`; the feed tells of each change once it is committed.
///
/// Owns nothing: connections and transactions are lent for each call.
///
/// **Threads:** any. **Limits:** a list has the newest 10,000 photos.
final class PhotoTable {
    private static final int LISTED_MAX = 10_000;
    private static final String COLUMNS =
            "id, name, kind, width, height, bytes, blob, state, thumb, reason, added_at FROM photo";

    private final Feed feed;
    private final TimeSource time;

    PhotoTable(Feed feed, TimeSource time) {
        this.feed = feed;
        this.time = time;
    }

    /// Adds a photo whose bytes are at that key; its thumbnail is not made yet.
    void insert(Transaction tx, PhotoId id, Photo.Original original, String blob) throws SQLException {
        var photo = new Photo(id, original, blob, new Photo.Processing(), time.now());
        Probe.around("row", "photo", () -> insert(tx.connection(), photo));
        feed.onCommit(tx, "photo", photo.view());
    }

    private static int insert(Connection sql, Photo photo) throws SQLException {
        var original = photo.original();
        try (var insert = sql.prepareStatement("""
                INSERT INTO photo (id, name, kind, width, height, bytes, blob, state, added_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, 'processing', ?)""")) {
            insert.setString(1, photo.id().text());
            insert.setString(2, original.name());
            insert.setString(3, original.kind().name());
            insert.setInt(4, original.width());
            insert.setInt(5, original.height());
            insert.setLong(6, original.bytes());
            insert.setString(7, photo.blob());
            insert.setLong(8, photo.addedAt().toEpochMilli());
            return insert.executeUpdate();
        }
    }

    Optional<Photo> find(Connection sql, PhotoId id) throws SQLException {
        try (var select = sql.prepareStatement("SELECT " + COLUMNS + " WHERE id = ?")) {
            select.setString(1, id.text());
            return rows(select).stream().findFirst();
        }
    }

    /// Newest first.
    List<Photo> list(Connection sql) throws SQLException {
        try (var select = sql.prepareStatement("SELECT " + COLUMNS + " ORDER BY added_at DESC, id LIMIT ?")) {
            select.setInt(1, LISTED_MAX);
            return rows(select);
        }
    }

    /// Says what became of the thumbnail; false if the photo was deleted or has its thumbnail.
    boolean settle(Transaction tx, Photo photo) throws SQLException {
        boolean settled = switch (photo.state()) {
            case Photo.Processing _ -> throw new IllegalArgumentException("a thumbnail is made once");
            case Photo.Ready(String blob) -> update(tx, photo.id(), "state = 'ready', thumb = ?", blob);
            case Photo.Failed(String reason) -> update(tx, photo.id(), "state = 'failed', reason = ?", reason);
        };
        if (settled) {
            feed.onCommit(tx, "photo", photo.view());
        }
        return settled;
    }

    private static boolean update(Transaction tx, PhotoId id, String set, String value) throws SQLException {
        try (var update =
                tx.connection().prepareStatement("UPDATE photo SET " + set + " WHERE id = ? AND thumb IS NULL")) {
            update.setString(1, value);
            update.setString(2, id.text());
            return update.executeUpdate() == 1;
        }
    }

    /// Deletes a photo and returns it, if it was there.
    Optional<Photo> delete(Transaction tx, PhotoId id) throws SQLException {
        var photo = find(tx.connection(), id);
        try (var delete = tx.connection().prepareStatement("DELETE FROM photo WHERE id = ?")) {
            delete.setString(1, id.text());
            delete.executeUpdate();
        }
        photo.ifPresent(found -> feed.onCommit(tx, "gone", new Photo.Gone(id.text())));
        return photo;
    }

    /// Which of these blobs a photo refers to, as its original or its thumbnail.
    Set<String> referenced(Connection sql, Collection<String> blobs) throws SQLException {
        var marks = String.join(", ", Collections.nCopies(blobs.size(), "?"));
        try (var select = sql.prepareStatement("SELECT blob FROM photo WHERE blob IN (" + marks
                + ") UNION ALL SELECT thumb FROM photo WHERE thumb IN (" + marks + ")")) {
            int at = 1;
            for (int i = 0; i < 2; i++) {
                for (String blob : blobs) {
                    select.setString(at++, blob);
                }
            }
            var found = new HashSet<String>();
            try (var row = select.executeQuery()) {
                while (row.next()) {
                    found.add(row.getString(1));
                }
            }
            return found;
        }
    }

    private static List<Photo> rows(PreparedStatement select) throws SQLException {
        var photos = new ArrayList<Photo>();
        try (var row = select.executeQuery()) {
            while (row.next()) {
                photos.add(photo(row));
            }
        }
        return photos;
    }

    private static Photo photo(ResultSet row) throws SQLException {
        var original = new Photo.Original(
                row.getString("name"),
                ImageKind.valueOf(row.getString("kind")),
                row.getInt("width"),
                row.getInt("height"),
                row.getLong("bytes"));
        var id = new PhotoId(row.getString("id"));
        return new Photo(
                id, original, row.getString("blob"), state(row), Instant.ofEpochMilli(row.getLong("added_at")));
    }

    private static Photo.State state(ResultSet row) throws SQLException {
        return switch (row.getString("state")) {
            case "ready" -> new Photo.Ready(row.getString("thumb"));
            case "failed" -> new Photo.Failed(row.getString("reason"));
            default -> new Photo.Processing();
        };
    }
}

package dev.tenure.http.internal.files;

import java.util.List;
import java.util.Optional;

/// A relative path of plain names: no `.` or `..`, no dot-file, no empty part, no separator of any system within a
/// part.
///
/// @param names at least one
public record SafePath(List<String> names) {
    /// Copies the names.
    public SafePath {
        names = List.copyOf(names);
    }

    /// Checks a decoded path.
    ///
    /// @param path without a leading slash
    /// @return empty if it is not safe
    public static Optional<SafePath> of(String path) {
        var names = List.of(path.split("/", -1));
        return names.stream().allMatch(SafePath::isPlain) ? Optional.of(new SafePath(names)) : Optional.empty();
    }

    private static boolean isPlain(String name) {
        if (name.isEmpty() || name.charAt(0) == '.' || name.indexOf('\\') >= 0) {
            return false;
        }
        return name.chars().noneMatch(Character::isISOControl);
    }

    /// The last name.
    ///
    /// @return the file's
    public String file() {
        return names.getLast();
    }

    /// The path again.
    ///
    /// @return joined by slashes
    public String text() {
        return String.join("/", names);
    }
}

package dev.tenure.db.internal.dialect;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Looks at the first word of each statement in a text of SQL, past comments and strings.
public final class SqlText {
    private static final Set<String> ENDS = Set.of("BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE");
    private static final Set<String> SETTINGS = Set.of("PRAGMA", "ATTACH", "DETACH");

    private final String sql;
    private int at;

    private SqlText(String sql) {
        this.sql = sql;
    }

    /// The word by which the text would begin or end a transaction, if there is one.
    ///
    /// @param sql one or more statements
    /// @return such as `COMMIT`
    public static Optional<String> transactionWord(String sql) {
        return firstOf(sql, ENDS);
    }

    /// Whether the text changes the connection beyond its own statement.
    ///
    /// @param sql one or more statements
    /// @return true if the connection should not be lent again
    public static boolean changesSettings(String sql) {
        return firstOf(sql, SETTINGS).isPresent();
    }

    private static Optional<String> firstOf(String sql, Set<String> words) {
        var text = new SqlText(sql);
        while (text.at < sql.length()) {
            String word = text.word();
            if (words.contains(word)) {
                return Optional.of(word);
            }
            if (word.equals("CREATE") && text.isTrigger()) {
                text.skipTrigger();
            }
            text.skipStatement();
        }
        return Optional.empty();
    }

    private boolean isTrigger() {
        String word = word();
        return (word.startsWith("TEMP") ? word() : word).equals("TRIGGER");
    }

    /// A trigger's body has statements of its own, and its end is the first of them that begins with END.
    private void skipTrigger() {
        do {
            skipStatement();
        } while (at < sql.length() && !word().equals("END"));
    }

    /// Skips what may stand before a word: a byte order mark too, which SQLite takes for a space.
    private String word() {
        while (at < sql.length() && (skipComment() || !startsSomething(sql.charAt(at)))) {
            at++;
        }
        int from = at;
        while (at < sql.length() && Character.isLetter(sql.charAt(at))) {
            at++;
        }
        return sql.substring(from, at).toUpperCase(Locale.ROOT);
    }

    private static boolean startsSomething(char next) {
        return Character.isLetter(next) || ";'\"`[".indexOf(next) >= 0;
    }

    private void skipStatement() {
        while (at < sql.length() && sql.charAt(at) != ';') {
            if (!skipComment() && "'\"`[".indexOf(sql.charAt(at)) >= 0) {
                skipTo(sql.charAt(at) == '[' ? "]" : sql.substring(at, at + 1), at + 1);
            }
            at++;
        }
        at++;
    }

    /// Leaves the position at the last character of a comment.
    private boolean skipComment() {
        if (sql.startsWith("--", at)) {
            skipTo("\n", at + 2);
            return true;
        }
        if (sql.startsWith("/*", at)) {
            skipTo("*/", at + 2);
            return true;
        }
        return false;
    }

    private void skipTo(String end, int from) {
        int found = sql.indexOf(end, from);
        at = found < 0 ? sql.length() : found + end.length() - 1;
    }
}

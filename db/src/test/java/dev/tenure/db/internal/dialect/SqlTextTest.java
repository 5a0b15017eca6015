package dev.tenure.db.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN => BEGIN",
                "  commit ; => COMMIT",
                "/* a */ -- b\n rollback => ROLLBACK",
                "SELECT 1; END TRANSACTION => END",
                "INSERT INTO a VALUES ('x;y'); savepoint s => SAVEPOINT",
                "INSERT INTO a VALUES ('it''s'); RELEASE s => RELEASE",
                "SELECT [a;b] FROM \"c;d\"; COMMIT => COMMIT",
                ";;COMMIT => COMMIT",
                "SELECT 1 -- ;\n; COMMIT => COMMIT",
                "ROLLBACK TO s => ROLLBACK",
                "\uFEFFCOMMIT => COMMIT",
                "SELECT 1;\uFEFF\uFEFF commit => COMMIT",
                "create index if not exists i on a(x); begin => BEGIN",
                "CREATE TABLE IF NOT EXISTS u(x); COMMIT => COMMIT",
                "CREATE TEMP VIEW v AS SELECT 1; ROLLBACK => ROLLBACK",
                "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END; COMMIT => COMMIT",
                "CREATE TEMPORARY TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; SELECT 2; END; END => END",
                "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; /* ; END; */ end; begin => BEGIN"
            })
    void text_thatEndsATransaction_isFound(String given) {
        int arrow = given.indexOf(" => ");
        assertThat(SqlText.transactionWord(given.substring(0, arrow))).contains(given.substring(arrow + 4));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "SELECT 'COMMIT'",
                "SELECT 1 /* ; COMMIT",
                "SELECT 1 -- ; COMMIT",
                "INSERT INTO a VALUES ('; COMMIT')",
                "SELECT ';' || \"; COMMIT\" FROM b",
                "commitments",
                "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END",
                "CREATE TRIGGER t INSERT ON a BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM b; END; SELECT 1",
                "WITH x AS (SELECT 1) SELECT * FROM x"
            })
    void text_thatDoesNot_isLeftAlone(String sql) {
        assertThat(SqlText.transactionWord(sql)).isEmpty();
    }

    @Test
    void text_thatChangesTheConnection_isFound() {
        assertThat(SqlText.changesSettings("PRAGMA foreign_keys = OFF")).isTrue();
        assertThat(SqlText.changesSettings("SELECT 1; attach 'x' AS y")).isTrue();
        assertThat(SqlText.changesSettings("SELECT 'PRAGMA'")).isFalse();
    }
}

package dev.tenure.flyway;

import dev.tenure.db.Migration;
import dev.tenure.host.ConfigurationError;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;

/// Migrations by Flyway, as a step of opening a database: scripts named `V1__what_it_does.sql` on the class path.
///
/// **Owner:** the database that is opened; Flyway keeps nothing afterwards. **Ends:** with the call.
/// **Threads:** one. **Limits:** all scripts that are new run in one transaction, so a failed one leaves
/// nothing of them; a script whose statements cannot run inside a transaction is refused. **Fails:**
/// [MigrationFailed], [ConfigurationError] if there are no scripts. **Source:** ADR-0023.
public final class Flyway {
    private static final int MESSAGE_MAX = 800;

    private Flyway() {}

    /// The scripts in a folder of the class path.
    ///
    /// @param folder such as `db`, without a leading slash
    /// @return the migration
    public static Migration scripts(String folder) {
        if (folder.isBlank() || folder.startsWith("/") || folder.contains(":")) {
            throw ConfigurationError.of("flyway.scripts", "'" + folder + "'", "a folder of the class path, such as db");
        }
        return source -> migrate(folder, source);
    }

    private static void migrate(String folder, DataSource source) {
        ClassLoader loader = loader();
        if (loader.getResource(folder) == null) {
            throw none(folder);
        }
        var flyway = org.flywaydb.core.Flyway.configure(loader)
                .dataSource(source)
                .locations("classpath:" + folder)
                .loggers(QuietLog.class.getName())
                .failOnMissingLocations(true)
                .validateMigrationNaming(true)
                .group(true)
                .cleanDisabled(true)
                .connectRetries(0)
                .load();
        try {
            if (flyway.info().all().length == 0) {
                throw none(folder);
            }
            flyway.migrate();
        } catch (FlywayException e) {
            throw failed(folder, e);
        }
    }

    /// The application's own class path, which is not that of this adapter everywhere.
    private static ClassLoader loader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? Flyway.class.getClassLoader() : context;
    }

    private static ConfigurationError none(String folder) {
        return ConfigurationError.of("flyway.scripts", folder, "a folder of the class path with V1__name.sql in it");
    }

    private static MigrationFailed failed(String folder, FlywayException failure) {
        return new MigrationFailed(
                "migration by classpath:%s: %s: %s".formatted(folder, advice(failure), oneLine(failure)), failure);
    }

    private static String advice(FlywayException failure) {
        return failure instanceof FlywayValidateException
                ? "a script was changed after it had run, is gone, or is misnamed (V1__name.sql): restore it, and"
                        + " put the change into a new one"
                : "nothing of the new scripts was applied; correct the script and start again";
    }

    private static String oneLine(FlywayException failure) {
        String words = String.valueOf(failure.getMessage())
                .replaceAll("[\\s-]*\\s+", " ")
                .strip();
        return words.length() > MESSAGE_MAX ? words.substring(0, MESSAGE_MAX) + " ..." : words;
    }
}

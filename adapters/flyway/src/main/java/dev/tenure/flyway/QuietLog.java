package dev.tenure.flyway;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;

/// Keeps Flyway quiet: what fails is thrown, and what it wants to tell besides goes to the platform's logger at the
/// level DEBUG. Flyway makes it by its name.
public final class QuietLog implements LogCreator {
    /// For Flyway.
    public QuietLog() {}

    @Override
    public Log createLogger(Class<?> about) {
        return new Quiet(System.getLogger(about.getName()));
    }

    private record Quiet(System.Logger logger) implements Log {
        @Override
        public void debug(String message) {
            logger.log(System.Logger.Level.DEBUG, message);
        }

        @Override
        public void info(String message) {
            debug(message);
        }

        @Override
        public void warn(String message) {
            logger.log(System.Logger.Level.WARNING, message);
        }

        @Override
        public void error(String message) {
            debug(message);
        }

        @Override
        public void error(String message, Exception failure) {
            logger.log(System.Logger.Level.DEBUG, message, failure);
        }

        @Override
        public void notice(String message) {
            debug(message);
        }
    }
}

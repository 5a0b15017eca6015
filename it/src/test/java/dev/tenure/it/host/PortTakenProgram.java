package dev.tenure.it.host;

import dev.tenure.db.Database;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.http.HttpServer;
import java.nio.file.Path;

/// The child program of C055: the port is taken, the start is given up, and `main` returns.
public final class PortTakenProgram {
    private PortTakenProgram() {}

    /// Returns; nothing keeps the JVM alive.
    ///
    /// @param arguments the port, the database file
    public static void main(String[] arguments) {
        var host = Host.named("taken").start();
        try {
            host.own(Database.sqlite(Path.of(arguments[1])));
            host.own(HttpServer.on(Integer.parseInt(arguments[0])));
        } catch (ConfigurationError taken) {
            System.out.println("caught " + taken.getMessage());
        }
    }
}

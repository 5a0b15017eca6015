package dev.tenure.testkit;

import dev.tenure.core.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/// The open descriptors of this process, as far as tests care about them.
final class Descriptors {
    private static final Path FOLDER = Path.of("/proc/self/fd");
    private static final String DELETED = " (deleted)";
    private static final AtomicBoolean WARM = new AtomicBoolean();

    private Descriptors() {}

    /// Each as `number -> target`; empty where the system has no such listing.
    static Set<String> open() {
        var open = new TreeSet<String>();
        if (!Files.isDirectory(FOLDER)) {
            return open;
        }
        try (var links = Files.newDirectoryStream(FOLDER)) {
            links.forEach(link -> add(open, link));
        } catch (IOException e) {
            throw new UncheckedIOException("the open descriptors could not be listed", e);
        }
        return open;
    }

    private static void add(Set<String> open, Path link) {
        try {
            var target = Files.readSymbolicLink(link).toString();
            if (!belongsToTheJvm(target)) {
                open.add(link.getFileName() + " -> " + target);
            }
        } catch (IOException _) {
            // Closed between listing and reading: not open.
        }
    }

    private static boolean belongsToTheJvm(String link) {
        var target = link.endsWith(DELETED) ? link.substring(0, link.length() - DELETED.length()) : link;
        return target.endsWith(".jar")
                || target.endsWith(".so")
                || target.endsWith("/modules")
                || target.startsWith("/proc/")
                || target.startsWith("/dev/")
                || target.endsWith(".class");
    }

    /// The JVM opens its pollers for blocking virtual threads with the first of them and keeps them:
    /// open them now.
    static void warmUp() {
        if (!WARM.compareAndSet(false, true)) {
            return;
        }
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var accepting = Threads.system().startVirtual("tenure-warm-up", () -> exchange(server));
            try (var client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                client.getOutputStream().write(1);
                client.getInputStream().read();
            }
            accepting.join();
        } catch (IOException e) {
            throw new UncheckedIOException("no loopback connection could be made", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void exchange(ServerSocket server) {
        try (var accepted = server.accept()) {
            accepted.getInputStream().read();
            accepted.getOutputStream().write(1);
            accepted.getInputStream().read();
        } catch (IOException e) {
            throw new UncheckedIOException("no loopback connection could be accepted", e);
        }
    }
}

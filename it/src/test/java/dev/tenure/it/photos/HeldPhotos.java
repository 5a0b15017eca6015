package dev.tenure.it.photos;

import dev.tenure.examples.photos.Photos;
import dev.tenure.testkit.Probes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// The photo example with a thread that stops at a named point.
///
/// In property `photos.hold`, or on standard input, it takes a line of points and says `armed`. Between two points
/// stands `>` if the thread that reached the first has to reach the second, `~` if any may. Once they were
/// reached in this order, the thread at the last one says `held`, and goes on after the next line.
final class HeldPhotos {
    private final CountDownLatch go = new CountDownLatch(1);
    private List<Point> points = Point.parsed(System.getProperty("photos.hold", ""));
    private int reached;
    private Thread last = Thread.currentThread();

    private HeldPhotos() {}

    private record Point(String name, boolean sameThread) {
        static List<Point> parsed(String line) {
            return line.isEmpty()
                    ? List.of()
                    : Arrays.stream(line.split("(?=[>~])"))
                            .map(part -> new Point(part.replaceFirst("^[>~]", ""), part.startsWith(">")))
                            .toList();
        }
    }

    public static void main(String[] args) {
        var held = new HeldPhotos();
        Probes.install(held::reach);
        Thread.ofPlatform().daemon().name("photos-hold").start(held::listen);
        Photos.main(args);
    }

    private void listen() {
        try (var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && !line.equals("go"); line = lines.readLine()) {
                arm(Point.parsed(line));
                say("armed");
            }
            go.countDown();
        } catch (IOException gone) {
            Runtime.getRuntime().halt(9);
        }
    }

    private synchronized void arm(List<Point> wanted) {
        points = wanted;
        reached = 0;
    }

    private void reach(String point) {
        if (isLast(point)) {
            say("held");
            try {
                go.await();
            } catch (InterruptedException cancelled) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized boolean isLast(String point) {
        if (reached == points.size() || !points.get(reached).name().equals(point)) {
            return false;
        }
        if (points.get(reached).sameThread() && last != Thread.currentThread()) {
            return false;
        }
        last = Thread.currentThread();
        reached++;
        return reached == points.size();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}

package dev.tenure.it.photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the JVM has loaded and linked when the example has shown its first photo, kept by a training run
/// (JEP 483, JEP 514): a start takes half of the time with it. A JVM that cannot use the cache starts
/// without it.
///
/// **Owner:** the JVM of the tests, which makes the file below `target` before the first process starts,
/// and again when a library has changed.
final class StartCache {
    private static final List<String> ARGUMENTS = arguments();

    private StartCache() {}

    /// Arguments of the JVM: the cache and the class path of the tests, libraries first, since only they are kept.
    static List<String> jvm() {
        return ARGUMENTS;
    }

    private static List<String> arguments() {
        var path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        var entries = Stream.of(path.split(File.pathSeparator)).map(Path::of).toList();
        var libraries = entries.stream().filter(Files::isRegularFile).toList();
        var all = new ArrayList<>(libraries);
        entries.stream().filter(Files::isDirectory).forEach(all::add);
        try {
            return List.of("-XX:AOTCache=" + cache(libraries), "-cp", joined(all));
        } catch (Exception failure) {
            throw new IllegalStateException("the training run of the photo example failed", failure);
        }
    }

    private static Path cache(List<Path> libraries) throws Exception {
        var key = new StringBuilder(System.getProperty("java.vm.version"));
        for (var library : libraries) {
            key.append(library).append(Files.getLastModifiedTime(library)).append(Files.size(library));
        }
        var cache = Path.of("target", "photos-%08x.aot".formatted(key.toString().hashCode()));
        if (!Files.exists(cache)) {
            train(cache.toAbsolutePath(), libraries);
        }
        return cache.toAbsolutePath();
    }

    private static void train(Path cache, List<Path> libraries) throws Exception {
        var classes = List.of("-XX:AOTCacheOutput=" + cache, "-Xlog:aot=error", "-cp", joined(libraries));
        var data = Files.createTempDirectory(cache.getParent(), "photos-training");
        try (var photos = PhotosProcess.on(data).classes(classes).start();
                var client = new PhotosClient(photos)) {
            client.add("training.jpg", Pictures.jpeg(640, 480, 6));
            client.awaitSettled();
            photos.terminate();
            assertThat(photos.exitCode()).as(photos.errors()).isZero();
        }
        assertThat(cache).exists();
    }

    private static String joined(List<Path> paths) {
        return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}

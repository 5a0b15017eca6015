package dev.tenure.examples.ownership;

import dev.tenure.testkit.Tracked;
import java.io.IOException;

/// Closes something tracked where only `IOException` may be thrown.
final class Closing {
    private Closing() {}

    static void of(Tracked<?> tracked) throws IOException {
        try {
            tracked.close();
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IOException(failure);
        }
    }
}

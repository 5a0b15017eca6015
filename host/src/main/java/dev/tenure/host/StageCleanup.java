package dev.tenure.host;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/// A cleanup that ends when its stage does, and fails as it does.
///
/// @param start starts the cleanup
record StageCleanup(Callable<? extends CompletionStage<?>> start) implements Cleanup {
    @Override
    public void run() throws Exception {
        awaitEnd(start.call().toCompletableFuture());
    }

    /// An interrupt does not end the wait: it is kept for whoever comes next.
    private static void awaitEnd(Future<?> stage) throws Exception {
        var interrupted = false;
        try {
            while (true) {
                try {
                    stage.get();
                    return;
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Exception failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw e;
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

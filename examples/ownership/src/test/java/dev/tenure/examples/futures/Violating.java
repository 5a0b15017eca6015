package dev.tenure.examples.futures;

import dev.tenure.core.Task;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/// Seven ways to lose a socket.
@SuppressWarnings("unused") // its members are looked at, not called
public interface Violating {
    Future<Socket> result();

    CompletableFuture<Optional<Socket>> wrapped();

    List<CompletionStage<? extends AutoCloseable>> collected();

    <T extends Socket> void parameter(CompletableFuture<T> later);

    Supplier<Future<Socket[]>> nested();

    Task<Socket> task();

    void inward(Future<? super Socket> sink);
}

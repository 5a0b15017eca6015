package dev.tenure.examples.futures;

import dev.tenure.core.Owned;
import dev.tenure.core.Task;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/// None.
@SuppressWarnings("unused") // its members are looked at, not called
public interface Right {
    Future<String> text();

    Socket socket();

    Supplier<Socket> connector();

    Task<Owned<Socket>> task();

    <T extends Comparable<T>> CompletableFuture<List<T>> sorted();

    CompletableFuture<Void> done(Socket lent);
}

package dev.tenure.http;

import dev.tenure.core.CancelMode;
import dev.tenure.core.Supervisor;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.Part;
import dev.tenure.http.internal.exchange.EngineLimits;
import dev.tenure.http.internal.netty.BindFailure;
import dev.tenure.http.internal.netty.NettyConfig;
import dev.tenure.http.internal.netty.NettyServer;
import dev.tenure.http.internal.wire.WireLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/// Builds a server; opens nothing.
///
/// **Threads:** one. **Fails:** [ConfigurationError] for a value out of its range, a route that is malformed or
/// doubled, a port that is taken.
public final class HttpServerBuilder implements Part<HttpServer> {
    private static final int BODY_QUEUE_BYTES = 65_536;
    private static final int DISCARD_BYTES = 65_536;
    private static final int PIPELINE_BYTES = 65_536;
    private static final Duration STOP_GRACE = Duration.ofSeconds(1);

    private final int port;
    private final Optional<ServerSocketChannel> borrowed;
    private final List<RouteSource> sources = new ArrayList<>();
    private final Map<Class<? extends Throwable>, Function<Throwable, Response>> mappings = new LinkedHashMap<>();
    private String name = "http";
    private String host = "127.0.0.1";
    private String portKey = "port";
    private int backlog = 1024;
    private int eventLoops = Runtime.getRuntime().availableProcessors();
    private boolean nativeTransport = true;
    private boolean health = true;
    private PeerFin peerFin = PeerFin.GONE;
    private HttpLimits limits = HttpLimits.defaults();
    private Optional<JsonCodec> json = Optional.empty();

    HttpServerBuilder(int port) {
        mapping(HttpStatusException.class, HttpServerBuilder::asItSays);
        this.port = within("port", port, 0, 65_535);
        this.borrowed = Optional.empty();
    }

    HttpServerBuilder(ServerSocketChannel listener) {
        mapping(HttpStatusException.class, HttpServerBuilder::asItSays);
        if (!listener.isOpen() || !listener.isBlocking() || listener.socket().getLocalPort() < 0) {
            throw ConfigurationError.of("http listener", listener, "open, bound, and in blocking mode");
        }
        this.port = listener.socket().getLocalPort();
        this.borrowed = Optional.of(listener);
    }

    private static Response asItSays(HttpStatusException known) {
        return Response.status(known.status()).text(known.status() + " " + known.detail() + "\n");
    }

    private static int within(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw ConfigurationError.of(key, value, least + " to " + most);
        }
        return value;
    }

    /// Sets the name in reports and logs; `http` unless set.
    ///
    /// @param itsName not blank; tells two servers of one host apart
    /// @return this
    public HttpServerBuilder named(String itsName) {
        if (itsName.isBlank()) {
            throw ConfigurationError.of("http name", "'" + itsName + "'", "a name");
        }
        name = itsName;
        return this;
    }

    /// Sets the address to listen on; `127.0.0.1` unless set.
    ///
    /// @param address a name or number of this machine
    /// @return this
    public HttpServerBuilder host(String address) {
        host = address;
        return this;
    }

    /// Sets what errors call the port, such as the option that it came from; `port` unless set.
    ///
    /// @param key not blank
    /// @return this
    public HttpServerBuilder portKey(String key) {
        if (key.isBlank()) {
            throw ConfigurationError.of("http portKey", "'" + key + "'", "a name");
        }
        portKey = key;
        return this;
    }

    /// Adds routes.
    ///
    /// @param added asked when the server opens
    /// @return this
    public HttpServerBuilder routes(RouteSource... added) {
        sources.addAll(List.of(added));
        return this;
    }

    /// Sets the limits.
    ///
    /// @param all of them
    /// @return this
    public HttpServerBuilder limits(HttpLimits all) {
        limits = all;
        return this;
    }

    /// Sets what a client's FIN means; [PeerFin#GONE] unless set.
    ///
    /// @param meaning while a request is in flight
    /// @return this
    public HttpServerBuilder peerFin(PeerFin meaning) {
        peerFin = meaning;
        return this;
    }

    /// Sets how many connections the kernel keeps until they are accepted; 1024 unless set.
    ///
    /// @param connections 1 to 65535; the kernel may take less
    /// @return this
    public HttpServerBuilder backlog(int connections) {
        backlog = within("http backlog", connections, 1, 65_535);
        return this;
    }

    /// Sets how many event loops there are; one a processor unless set.
    ///
    /// @param loops 1 to 256
    /// @return this
    public HttpServerBuilder eventLoops(int loops) {
        eventLoops = within("http eventLoops", loops, 1, 256);
        return this;
    }

    /// Sets whether the platform's own transport is used where it loads; true unless set.
    ///
    /// @param used false for NIO
    /// @return this
    public HttpServerBuilder nativeTransport(boolean used) {
        nativeTransport = used;
        return this;
    }

    /// Sets whether `/health/live` and `/health/ready` are answered, without a handler; true unless set.
    ///
    /// @param answered false leaves the paths to the routes
    /// @return this
    public HttpServerBuilder health(boolean answered) {
        health = answered;
        return this;
    }

    /// Gives it a codec for JSON bodies.
    ///
    /// @param codec for [Response.Builder#json] and [RequestBody#json]
    /// @return this
    public HttpServerBuilder json(JsonCodec codec) {
        json = Optional.of(codec);
        return this;
    }

    /// Answers exceptions of a type with a status, without their messages.
    ///
    /// @param type the exceptions; the most special mapping wins
    /// @param status 400 to 599
    /// @return this
    public HttpServerBuilder mapping(Class<? extends Throwable> type, int status) {
        int checked = within("http mapping of " + type.getName(), status, 400, 599);
        mappings.put(type, _ -> ErrorText.of(checked));
        return this;
    }

    /// Answers exceptions of a type that a handler lets out. One that is answered with 500 or more is told to the
    /// host's observer too; if the answer itself throws, there is a 500 and both are told.
    ///
    /// @param <T> the exceptions
    /// @param type the exceptions; the most special mapping wins
    /// @param answer makes the answer, on the handler's thread, inside its scope
    /// @return this
    public <T extends Throwable> HttpServerBuilder mapping(
            Class<T> type, Function<? super T, ? extends Response> answer) {
        mappings.put(type, failure -> answer.apply(type.cast(failure)));
        return this;
    }

    @Override
    public HttpServer open(Host owner) {
        var counts = new ExchangeCounts();
        var custom = new Serving.Custom(name, json, Map.copyOf(mappings));
        var serving = new Serving(custom, owner.observer(), owner.timeSource(), owner::openActivity);
        var planner = new RequestPlanner(sources, limits, () -> counts.inFlight() >= limits.exchangesMax());
        if (health) {
            planner.with(new RequestPlanner.Health(owner::isLive, owner::isReady));
        }
        var options =
                new Supervisor.Options(owner.threads(), owner.timeSource(), owner.observer(), CancelMode.INTERRUPT);
        Supervisor tasks = Supervisor.open(name, options);
        try {
            var handlers = new Handlers(serving, counts, tasks);
            var seams = new NettyConfig.Seams(
                    owner.timeSource(), owner.timers(), owner.threads(), owner::isStopping, stopOf(owner));
            var netty = NettyServer.open(new NettyConfig(socket(), engine(), planner, handlers, seams));
            borrowed.ifPresent(_ -> owner.borrow(name + " listener on port " + port));
            return new HttpServer(netty, tasks, handlers, counts);
        } catch (IOException refused) {
            tasks.close();
            throw unavailable(refused);
        } catch (Throwable failure) {
            tasks.close();
            throw failure;
        }
    }

    /// What stops the host once an event loop has ended by itself: the rest would be half a server.
    private Consumer<Throwable> stopOf(Host owner) {
        var end = new CompletableFuture<Void>();
        owner.stopWhen(end);
        return broken ->
                end.completeExceptionally(new IllegalStateException(name + ": " + broken.getMessage(), broken));
    }

    private ConfigurationError unavailable(IOException failure) {
        String where = host + ":" + port;
        String expected = switch (BindFailure.of(failure)) {
            case TAKEN -> "a free port; " + where + " is in use";
            case FORBIDDEN -> "a port that this user may listen on; " + where + " is none";
            case ELSEWHERE -> "a port of this machine; " + host + " is no address of it";
            case OTHER -> "a free port; " + where + " can't be had";
        };
        return new ConfigurationError("%s: %d (expected: %s)".formatted(portKey, port, expected), failure);
    }

    private NettyConfig.Socket socket() {
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw ConfigurationError.of("host", host, "an address of this machine");
        }
        return new NettyConfig.Socket(address, backlog, limits.connectionsMax(), eventLoops, nativeTransport, borrowed);
    }

    private long writeMin() {
        return Math.max(1, limits.writeRateMin() * limits.writeIdle().toMillis() / 1_000);
    }

    private EngineLimits engine() {
        var wire = new WireLimits(limits.lineBytesMax(), limits.headBytesMax(), limits.fieldsMax());
        var clocks = new EngineLimits.Clocks(
                limits.header().toNanos(),
                limits.bodyIdle().toNanos(),
                limits.writeIdle().toNanos(),
                limits.keepAlive().toNanos(),
                limits.linger().toNanos(),
                limits.heartbeat().toNanos(),
                STOP_GRACE.toNanos());
        var sizes = new EngineLimits.Sizes(BODY_QUEUE_BYTES, DISCARD_BYTES, PIPELINE_BYTES, writeMin());
        return new EngineLimits(wire, clocks, sizes, peerFin == PeerFin.GONE);
    }
}

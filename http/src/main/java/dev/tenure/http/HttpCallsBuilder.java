package dev.tenure.http;

import dev.tenure.host.Activity;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Builds [HttpCalls]; opens nothing.
///
/// **Threads:** one. **Fails:** [ConfigurationError] for a value out of its range, or a route that is malformed or
/// doubled.
public final class HttpCallsBuilder {
    private static final int ANSWER_BYTES_MAX = 6 * 1_048_576;

    private final List<RouteSource> sources;
    private final Map<Class<? extends Throwable>, Function<Throwable, Response>> mappings = new LinkedHashMap<>();
    private String name = "calls";
    private HttpLimits limits = HttpLimits.defaults();
    private Optional<JsonCodec> json = Optional.empty();
    private int answerBytesMax = ANSWER_BYTES_MAX;

    HttpCallsBuilder(List<RouteSource> sources) {
        this.sources = sources;
        mapping(
                HttpStatusException.class,
                known -> Response.status(known.status()).text(known.status() + " " + known.detail() + "\n"));
    }

    /// Sets the name in reports and logs; `calls` unless set.
    ///
    /// @param itsName not blank
    /// @return this
    public HttpCallsBuilder named(String itsName) {
        if (itsName.isBlank()) {
            throw ConfigurationError.of("calls name", "'" + itsName + "'", "a name");
        }
        name = itsName;
        return this;
    }

    /// Sets the limits of heads, bodies and exchanges; those of connections mean nothing here.
    ///
    /// @param all of them
    /// @return this
    public HttpCallsBuilder limits(HttpLimits all) {
        limits = all;
        return this;
    }

    /// Sets how much of a streamed answer is gathered; 6 MiB unless set.
    ///
    /// @param bytes 1 to 1 GiB
    /// @return this
    public HttpCallsBuilder answerBytesMax(int bytes) {
        if (bytes < 1 || bytes > 1_073_741_824) {
            throw ConfigurationError.of("calls answerBytesMax", bytes, "1 to 1073741824");
        }
        answerBytesMax = bytes;
        return this;
    }

    /// Gives it a codec for JSON bodies.
    ///
    /// @param codec for [Response.Builder#json] and [RequestBody#json]
    /// @return this
    public HttpCallsBuilder json(JsonCodec codec) {
        json = Optional.of(codec);
        return this;
    }

    /// Answers exceptions of a type with a status, without their messages.
    ///
    /// @param type the exceptions; the most special mapping wins
    /// @param status 400 to 599
    /// @return this
    public HttpCallsBuilder mapping(Class<? extends Throwable> type, int status) {
        if (status < 400 || status > 599) {
            throw ConfigurationError.of("calls mapping of " + type.getName(), status, "400 to 599");
        }
        mappings.put(type, _ -> ErrorText.of(status));
        return this;
    }

    /// Answers exceptions of a type that a handler lets out, as [HttpServerBuilder#mapping(Class, Function)] does.
    ///
    /// @param <T> the exceptions
    /// @param type the exceptions; the most special mapping wins
    /// @param answer makes the answer, on the handler's thread, inside its scope
    /// @return this
    public <T extends Throwable> HttpCallsBuilder mapping(
            Class<T> type, Function<? super T, ? extends Response> answer) {
        mappings.put(type, failure -> answer.apply(type.cast(failure)));
        return this;
    }

    /// Makes the calls.
    ///
    /// @param host runs their activities; lent, and told of what fails
    /// @return the calls
    public HttpCalls open(Host host) {
        var custom = new Serving.Custom(name, json, Map.copyOf(mappings));
        var serving = new Serving(custom, host.observer(), host.timeSource(), _ -> Activity.current());
        var calls = new HttpCalls(host, serving, limits, answerBytesMax);
        var routes = new Routes();
        sources.forEach(source -> source.routes(routes));
        routes.declared().forEach(calls::add);
        return calls;
    }
}

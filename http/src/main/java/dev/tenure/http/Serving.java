package dev.tenure.http;

import dev.tenure.core.Observer;
import dev.tenure.core.TimeSource;
import dev.tenure.host.Activity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// What the exchanges of one server share.
///
/// **Owner:** the server. **Threads:** any.
final class Serving {
    /// What the application configured.
    ///
    /// @param name of the server
    /// @param json writes and reads JSON
    /// @param mappings from exceptions to answers
    record Custom(
            String name,
            Optional<JsonCodec> json,
            Map<Class<? extends Throwable>, Function<Throwable, Response>> mappings) {}

    private final Custom custom;
    private final Observer observer;
    private final TimeSource time;
    private final Function<String, Activity> activities;
    private final AtomicLong exchanges = new AtomicLong();
    private final String idPrefix;

    Serving(Custom custom, Observer observer, TimeSource time, Function<String, Activity> activities) {
        this.custom = custom;
        this.observer = observer;
        this.time = time;
        this.activities = activities;
        this.idPrefix = Long.toString(time.now().toEpochMilli(), Character.MAX_RADIX) + "-";
    }

    String name() {
        return custom.name();
    }

    TimeSource time() {
        return time;
    }

    String nextId() {
        return idPrefix + Long.toString(exchanges.incrementAndGet(), Character.MAX_RADIX);
    }

    Activity openActivity(String name) {
        return activities.apply(name);
    }

    JsonCodec json() {
        return custom.json()
                .orElseThrow(() -> new IllegalStateException(
                        "this server has no JSON codec: give it one by json(..), as tenure-jackson has"));
    }

    /// The answer to an exception by the application's mappings; the most special class wins.
    Optional<Response> mapped(Throwable failure) {
        List<Class<? extends Throwable>> fitting = custom.mappings().keySet().stream()
                .filter(type -> type.isInstance(failure))
                .toList();
        return fitting.stream()
                .filter(type -> fitting.stream().allMatch(other -> other.isAssignableFrom(type)))
                .findFirst()
                .or(() -> fitting.stream().findFirst())
                .map(custom.mappings()::get)
                .map(answer -> answer.apply(failure));
    }

    void failed(String what, Throwable failure) {
        observer.failed(what, failure);
    }
}

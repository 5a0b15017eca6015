package dev.tenure.host;

import dev.tenure.core.Holder;
import dev.tenure.core.Reason;
import dev.tenure.core.Supervisor;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One background service as a component: told, interrupted and joined in `DRAIN_IN_FLIGHT`.
///
/// **Owner:** the host. **Ends:** when its task has ended.
final class ServicePart implements Component {
    private final BackgroundService service;
    private final String name;
    private final BackgroundCancellation cancellation;
    private final Supervisor supervisor;
    private volatile @Nullable Throwable failure;

    @SuppressWarnings("MustBeClosedChecker") // closed when the service has ended, or was refused
    ServicePart(BackgroundService service, BackgroundCancellation cancellation, Supervisor.Options options) {
        this.service = service;
        this.name = "service '" + service.name() + "'";
        this.cancellation = cancellation;
        this.supervisor = Supervisor.open(name, options);
    }

    /// Starts the service. It is not restarted, whatever happens.
    void start(Lifecycle lifecycle) {
        supervisor.fork(name, () -> {
            try {
                service.run(cancellation);
            } catch (Throwable thrown) {
                if (!cancellation.isCancelled() || !HookCall.isMessenger(thrown)) {
                    failure = thrown;
                    lifecycle.requestStop(
                            name + " failed: " + Tracked.oneLine(thrown.toString()),
                            new Reason(Reason.Kind.REQUEST, name, thrown));
                }
            }
            return name;
        });
        supervisor.seal();
    }

    /// It was refused, or has ended.
    void close() {
        supervisor.close();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Phase> phases() {
        return EnumSet.of(Phase.DRAIN_IN_FLIGHT);
    }

    @Override
    public Set<Component> uses() {
        return service.uses();
    }

    @Override
    public void enter(Phase phase, Stop stop) throws Exception {
        cancel(stop);
        supervisor.close(stop.deadline());
        var thrown = failure;
        switch (thrown) {
            case Exception e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
    }

    private void cancel(Stop stop) {
        cancellation.fire(stop.reason());
        supervisor.cancelAll(Reason.of(Reason.Kind.STOP, stop.reason().by()));
    }

    @Override
    public void force(Stop stop) {
        cancel(stop);
    }

    @Override
    public List<Holder> holders() {
        return supervisor.holders();
    }
}

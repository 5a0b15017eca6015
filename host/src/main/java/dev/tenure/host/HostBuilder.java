package dev.tenure.host;

import dev.tenure.core.Observer;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.host.HostSettings.Seams;
import dev.tenure.host.internal.BudgetPlan;
import dev.tenure.host.internal.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Collects the settings of a [Host]. Opens nothing before [#start()].
///
/// **Threads:** one. **Fails:** each setter with a [ConfigurationError] that names the key, the value and the
/// range.
public final class HostBuilder {
    private static final Duration BUDGET_MIN = Duration.ofMillis(100);
    private static final Duration EXIT_MARGIN = Duration.ofSeconds(1);
    private static final Duration BUDGET_MAX = Duration.ofHours(24);

    private final String name;
    private Duration stopBudget = Duration.ofSeconds(25);
    private Duration readinessDelay = Duration.ZERO;
    private Duration gateAge = Duration.ofSeconds(30);
    private DeploymentPolicy policy = DeploymentPolicy.PERSISTENT;
    private Optional<Duration> grace = Optional.empty();
    private boolean signals = true;
    private Seams seams = new Seams(TimeSource.system(), Timers.system(), Threads.system(), Observer.none());
    private final List<Consumer<ShutdownReport>> reportTo = new ArrayList<>();

    HostBuilder(String name) {
        if (name.isBlank()) {
            throw ConfigurationError.of("name", "'" + name + "'", "a text that is not blank");
        }
        this.name = name;
    }

    /// The budget B of a stop: when it ends, the report is there, whatever hangs. Default 25 s, to fit under the 30
    /// s after which a container platform kills.
    ///
    /// @param budget 100 ms to 24 h
    /// @return this
    public HostBuilder stopBudget(Duration budget) {
        if (budget.compareTo(BUDGET_MIN) < 0 || budget.compareTo(BUDGET_MAX) > 0) {
            throw wrong("stopBudget", budget, DurationText.of(BUDGET_MIN) + " to " + DurationText.of(BUDGET_MAX));
        }
        this.stopBudget = budget;
        return this;
    }

    /// How long to go on admitting after readiness went down, so that a load balancer can notice. Counted inside
    /// the budget; cut short by force. Default zero.
    ///
    /// @param delay not negative, and less than the budget without its force reserve
    /// @return this
    public HostBuilder readinessDelay(Duration delay) {
        if (delay.isNegative()) {
            throw wrong("readinessDelay", delay, ">= 0");
        }
        this.readinessDelay = delay;
        return this;
    }

    /// How long what the process opens lives. Default `PERSISTENT`.
    ///
    /// @param lifetimes which
    /// @return this
    public HostBuilder policy(DeploymentPolicy lifetimes) {
        this.policy = lifetimes;
        return this;
    }

    /// After how long the platform kills a process that it asked to stop, such as Kubernetes'
    /// `terminationGracePeriodSeconds`. If the stop budget, which the readiness delay is part of, and a second
    /// for the exit of the JVM do not fit under it, [#start()] logs a warning. Default unknown, and no warning.
    ///
    /// @param time positive
    /// @return this
    public HostBuilder platformGrace(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw wrong("platformGrace", time, "> 0");
        }
        this.grace = Optional.of(time);
        return this;
    }

    private void warnOfGrace() {
        var needed = stopBudget.plus(EXIT_MARGIN);
        grace.filter(time -> needed.compareTo(time) > 0)
                .ifPresent(time -> System.getLogger("dev.tenure.host")
                        .log(System.Logger.Level.WARNING, graceWarning(needed, time)));
    }

    private String graceWarning(Duration needed, Duration time) {
        var may = "a stop may take %s (stop budget %s, of which readiness delay %s, and %s to exit)"
                .formatted(
                        DurationText.of(needed),
                        DurationText.of(stopBudget),
                        DurationText.of(readinessDelay),
                        DurationText.of(EXIT_MARGIN));
        var kills = "the platform kills after %s: it would be killed without a report; lower stopBudget to %s"
                .formatted(DurationText.of(time), DurationText.of(time.minus(EXIT_MARGIN)));
        return "host '%s': %s, but %s, or raise the platform's grace".formatted(name, may, kills);
    }

    /// After how long an activity that waits for its background work tells the observer who holds it. Default 30 s.
    ///
    /// @param age positive
    /// @return this
    public HostBuilder gateAge(Duration age) {
        if (age.isNegative() || age.isZero()) {
            throw wrong("gateAge", age, "> 0");
        }
        this.gateAge = age;
        return this;
    }

    /// Whether SIGTERM and SIGINT stop the host: the first gracefully, the second by force. Default yes. Without,
    /// an exit of the JVM runs the same stop, and [Host#stopWhen] takes an enclosing application's signal.
    ///
    /// @param handled whether to install the handlers
    /// @return this
    public HostBuilder signals(boolean handled) {
        this.signals = handled;
        return this;
    }

    /// The clock. Default the system's; timers follow it if it has some of its own, as a fake clock does.
    ///
    /// @param time the clock
    /// @return this
    public HostBuilder timeSource(TimeSource time) {
        this.seams = new Seams(time, Timers.of(time), seams.threads(), seams.observer());
        return this;
    }

    /// The timers. Default those of the clock.
    ///
    /// @param timers the timers
    /// @return this
    public HostBuilder timers(Timers timers) {
        this.seams = new Seams(seams.time(), timers, seams.threads(), seams.observer());
        return this;
    }

    /// The threads. Default the JVM's.
    ///
    /// @param threads the threads
    /// @return this
    public HostBuilder threads(Threads threads) {
        this.seams = new Seams(seams.time(), seams.timers(), threads, seams.observer());
        return this;
    }

    /// The application's ear. What it throws is isolated.
    ///
    /// @param observer is told of failures that no caller sees, and of waits that last
    /// @return this
    public HostBuilder observer(Observer observer) {
        this.seams = new Seams(seams.time(), seams.timers(), seams.threads(), Observer.isolating(observer));
        return this;
    }

    /// Gets the report before anybody who waits for it, so that it is written when the process exits. May be called
    /// more than once. It has until the end of the budget, and at least 40 ms.
    ///
    /// @param consumer such as one that writes a file
    /// @return this
    public HostBuilder reportTo(Consumer<ShutdownReport> consumer) {
        reportTo.add(consumer);
        return this;
    }

    /// Starts the host: signal handlers, the shutdown hook and the coordinator, and nothing else. May be called
    /// again for another host, such as after a start that failed.
    ///
    /// @return the host, to be closed
    public Host start() {
        var untilForce = Duration.ofNanos(BudgetPlan.of(stopBudget).forceAtNanos());
        if (readinessDelay.compareTo(untilForce) >= 0) {
            throw wrong(
                    "readinessDelay",
                    readinessDelay,
                    "< " + DurationText.of(untilForce) + ", the stop budget without its force reserve");
        }
        warnOfGrace();
        var times = new HostSettings.Times(stopBudget, readinessDelay, gateAge);
        return Host.started(new HostSettings(name, policy, times, signals, seams, List.copyOf(reportTo)));
    }

    private static ConfigurationError wrong(String key, Duration value, String expected) {
        return ConfigurationError.of(key, DurationText.of(value), expected);
    }
}

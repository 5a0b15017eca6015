package dev.tenure.testkit;

import dev.tenure.core.Canceller;
import dev.tenure.core.Owned;
import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.testkit.internal.engine.Adversary;
import dev.tenure.testkit.internal.engine.Path;
import dev.tenure.testkit.internal.engine.Points;
import dev.tenure.testkit.internal.engine.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Knows which fault means something at which point, and injects what is planned.
final class Strike implements Adversary {
    /// A point of a run, with the faults that mean something there.
    record Seen(long point, Set<Fault> faults) {}

    private static final Duration HANG = Duration.ofMinutes(1);
    private static final Set<String> CORE = Set.of(
            "open",
            "own",
            "move",
            "fork",
            "start",
            "join",
            "close",
            "cancel",
            "ring",
            "mask",
            "hook",
            "deadline",
            "hoist",
            "offer",
            "take",
            "borrow",
            "return",
            "detach",
            "abandon");
    private static final Set<String> UNTHROWN =
            Set.of("cancel", "ring", "mask", "hook", "deadline", "abandon", "return");
    private static final Set<String> ENDINGS = Set.of("release", "discard", "end", "rollback", "delete");
    private static final Set<String> TAKINGS = Set.of("move", "offer", "detach", "hoist");
    private static final Set<String> COMMITS = Set.of("publish", "commit");

    private final Plan plan;
    private final World world;
    private final Set<String> confined;
    private final boolean fromTheStart;
    private final List<Seen> seen = new ArrayList<>();
    private final List<Throwable> thrown = new ArrayList<>(0);
    private boolean struck;

    Strike(Plan plan, World world, Set<String> confined) {
        this.confined = confined;
        this.plan = plan;
        this.world = world;
        this.fromTheStart = plan.isEmpty();
    }

    List<Seen> points() {
        return seen;
    }

    /// What was thrown, in order.
    List<Throwable> thrown() {
        return thrown;
    }

    @Override
    public void seen(Run run, long point) {
        if (run.book().isPlain()) {
            run.book().countPoint();
        }
        if (fromTheStart || struck) {
            seen.add(new Seen(point, possible(run, point)));
        }
    }

    private Set<Fault> possible(Run run, long point) {
        Points points = run.points();
        int key = Path.key(point);
        String kind = points.kind(key);
        String side = points.side(key);
        boolean own = !CORE.contains(kind);
        var faults = EnumSet.noneOf(Fault.class);
        if (run.actor().isInterruptible()) {
            faults.add(Fault.INTERRUPT);
        }
        if (Scope.innermost().isPresent()) {
            scoped(run, faults);
        }
        if (isThrowing(kind, side)) {
            faults.add(Fault.THROW_RUNTIME);
            faults.add(Fault.THROW_ERROR);
            faults.add(Fault.OOM);
            if (own) {
                faults.add(Fault.THROW_CHECKED);
            }
        }
        if (world.ticker().untilNextAlarm().isPresent()) {
            faults.add(Fault.DEADLINE);
        }
        if (side.equals("before")) {
            before(run, kind, faults);
        } else if (side.equals("after") && COMMITS.contains(kind)) {
            faults.add(Fault.UNKNOWN);
        }
        return faults;
    }

    private void before(Run run, String kind, Set<Fault> faults) {
        if (ENDINGS.contains(kind)) {
            faults.add(Fault.HANG);
        }
        if (world.refuses(kind)
                || (TAKINGS.contains(kind) && !run.book().liveOf("supervisor").isEmpty())) {
            faults.add(Fault.REFUSE);
        }
        if ((kind.equals("acquire") || world.opens(kind)) && Scope.innermost().isPresent()) {
            faults.add(Fault.LATE);
        }
    }

    private void scoped(Run run, Set<Fault> faults) {
        Scope scope = Scope.current();
        faults.add(Fault.CANCEL);
        faults.add(Fault.CLOSE);
        if (run.book().outermost(scope) != scope) {
            faults.add(Fault.CANCEL_OUTER);
        }
        if (run.book().newestOf(scope, confined) != null) {
            faults.add(Fault.FOREIGN_RELEASE);
        }
    }

    private static boolean isThrowing(String kind, String side) {
        boolean guarded = side.equals("before") || side.equals("after") || side.equals("reserved") || side.isEmpty();
        return guarded && !UNTHROWN.contains(kind) && !(kind.equals("close") && side.equals("after"));
    }

    @Override
    public void strike(Run run, long point, boolean second) {
        struck = true;
        var shot = second ? plan.second() : plan.first();
        inject(run, point, shot.orElseThrow().fault());
    }

    private void inject(Run run, long point, Fault fault) {
        run.note("injected ", fault.name());
        switch (fault) {
            case CANCEL -> innermost().ifPresent(scope -> cancel(scope, Reason.Kind.REQUEST));
            case CANCEL_OUTER -> innermost().ifPresent(scope -> cancelOuter(run, scope));
            case CLOSE -> close(run);
            case LATE -> late();
            case INTERRUPT -> {
                run.book().interruptsFromNowOn();
                Thread.currentThread().interrupt();
            }
            case DEADLINE ->
                world.ticker()
                        .untilNextAlarm()
                        .ifPresent(nanos ->
                                run.aside("deadline", () -> world.ticker().advance(nanos)));
            case FOREIGN_RELEASE -> innermost().ifPresent(scope -> releaseAside(run, scope));
            case REFUSE -> refuse(run, point, fault);
            case HANG -> world.hang(HANG);
            case THROW_CHECKED, THROW_RUNTIME, THROW_ERROR, OOM, UNKNOWN -> fail(run, point, fault);
        }
    }

    private void fail(Run run, long point, Fault fault) {
        run.book().unknownFromNowOn();
        Throwable injected = Injected.of(fault, run.text(point));
        thrown.add(injected);
        Injected.<RuntimeException>thrown(injected);
    }

    private static Optional<Scope> innermost() {
        return Scope.innermost();
    }

    private static void cancel(Scope scope, Reason.Kind kind) {
        Canceller canceller = scope.canceller();
        canceller.cancel(Reason.of(kind, "the sweep"));
    }

    private static void cancelOuter(Run run, Scope scope) {
        if (run.book().outermost(scope) instanceof Scope outermost) {
            cancel(outermost, Reason.Kind.REQUEST);
        }
    }

    /// An acquisition that cannot be interrupted sees a cancel only when it is over.
    private static void late() {
        boolean before = Thread.currentThread().isInterrupted();
        innermost().ifPresent(scope -> cancel(scope, Reason.Kind.REQUEST));
        if (!before) {
            Thread.interrupted();
        }
    }

    private static void close(Run run) {
        var supervisors = run.book().liveOf("supervisor");
        var reason = Reason.of(Reason.Kind.CLOSE, "the sweep");
        if (!supervisors.isEmpty() && supervisors.getLast() instanceof Supervisor supervisor) {
            run.aside("close", () -> {
                supervisor.seal();
                supervisor.cancelAll(reason);
            });
        } else {
            innermost().ifPresent(scope -> run.aside("close", () -> cancel(scope, Reason.Kind.CLOSE)));
        }
    }

    private void releaseAside(Run run, Scope scope) {
        Owned<?> handle = run.book().newestOf(scope, confined);
        if (handle != null) {
            run.book().endsForeignFromNowOn();
            run.book().unknownFromNowOn();
            run.aside("release", () -> closeQuietly(handle));
        }
    }

    /// The thread that was given the handle is told of the failure, so the scenario is not.
    private void closeQuietly(Owned<?> handle) {
        try {
            handle.close();
        } catch (RuntimeException | Error failure) {
            world.handled(failure);
        }
    }

    private void refuse(Run run, long point, Fault fault) {
        run.book().unknownFromNowOn();
        String kind = run.points().kind(Path.key(point));
        if (TAKINGS.contains(kind)) {
            for (Object taker : run.book().liveOf("supervisor")) {
                if (taker instanceof Supervisor supervisor) {
                    supervisor.seal();
                }
            }
            return;
        }
        Throwable refusal = Injected.of(fault, run.text(point));
        thrown.add(refusal);
        Injected.<RuntimeException>thrown(refusal);
    }

    /// At most two faults of a run.
    ///
    /// @param one the first
    /// @param other the second, after the first
    record Plan(@Nullable Shot one, @Nullable Shot other) {
        static final Plan NONE = new Plan(null, null);

        boolean isEmpty() {
            return one == null;
        }

        /// What may show the same, from the simplest on.
        List<Plan> simpler() {
            var simpler = new ArrayList<Plan>();
            if (one != null) {
                simpler.add(NONE);
                for (Shot shot : other == null ? List.of(one) : List.of(one, other)) {
                    simpler.add(new Plan(shot.once(), null));
                    simpler.add(new Plan(shot, null));
                }
                simpler.add(new Plan(one.once(), other == null ? null : other.once()));
                simpler.removeIf(this::equals);
            }
            return simpler;
        }

        Optional<Shot> first() {
            return Optional.ofNullable(one);
        }

        Optional<Shot> second() {
            return Optional.ofNullable(other);
        }
    }

    /// A fault at a point.
    ///
    /// @param fault which
    /// @param point where
    /// @param stays whether it strikes again wherever the point comes again
    record Shot(Fault fault, long point, boolean stays) {
        private static final Set<Fault> STAYING = EnumSet.of(
                Fault.THROW_CHECKED,
                Fault.THROW_RUNTIME,
                Fault.THROW_ERROR,
                Fault.OOM,
                Fault.REFUSE,
                Fault.HANG,
                Fault.UNKNOWN);

        Shot(Fault fault, long point) {
            this(fault, point, false);
        }

        boolean canStay() {
            return STAYING.contains(fault) && !stays;
        }

        Shot staying() {
            return new Shot(fault, point, true);
        }

        Shot once() {
            return new Shot(fault, point, false);
        }
    }
}

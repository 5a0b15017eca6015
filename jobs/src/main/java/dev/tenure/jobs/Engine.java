package dev.tenure.jobs;

import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Probe;
import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.db.CommitOutcome;
import dev.tenure.db.Database;
import dev.tenure.jobs.internal.table.ClaimTable;
import dev.tenure.jobs.internal.table.ClaimedJob;
import dev.tenure.jobs.internal.table.JobTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The worker: one thread that claims, keeps claims alive and sets lost ones free; two tasks for each
/// running job.
///
/// **Owner:** [Jobs]. **Ends:** its thread ends once it drains, runs nothing and holds no claim in
/// doubt, or has been told that its time is over; heartbeats go on until then. **States:** `CLAIMING ->
/// DRAINING -> ENDED`. **Threads:** a platform thread, so that handlers which spin cannot stop
/// heartbeats; a job's waiting task is never cancelled, its handling task is.
final class Engine {
    /// How long after a failed statement of its own the worker tries again, doubled with each further
    /// failure.
    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final int DOUBLINGS_MAX = 4;

    private final Database database;
    private final Writes writes;
    private final Settings settings;
    private final Ticks ticks;
    private final ClaimTable claims;
    private final Settlement settlement;
    private final Counters counters = new Counters();
    private final Signal signal = new Signal();
    private final Supervisor waiting;
    private final Supervisor handlers;
    private final Map<Long, Running> running = new ConcurrentHashMap<>();
    private final Signal over = new Signal();

    /// Set by whoever could not learn or write what became of a claim, cleared by the worker's thread.
    private final AtomicBoolean doubt = new AtomicBoolean();

    /// Guards the step from claimed to running against the beginning of the drain.
    private final ReentrantLock admission = new ReentrantLock();

    private volatile boolean draining;
    private volatile boolean ended;
    private volatile long finishedBefore;

    /// Until when a draining worker tries to learn what became of a claim.
    private volatile Deadline end = Deadline.none();

    /// Confined to the worker's thread.
    private Deadline nextBeat = Deadline.none();

    /// Confined to the worker's thread: failures since the last turn without one.
    private int troubles;

    @SuppressWarnings("MustBeClosedChecker") // closed by the worker's thread, last
    Engine(Database database, Settings settings, Ticks ticks) {
        this.database = database;
        this.writes = new Writes(database);
        this.settings = settings;
        this.ticks = ticks;
        this.claims = new ClaimTable(settings.worker());
        this.settlement = new Settlement(writes, ticks, counters, ticks.time().nanos());
        this.waiting = Supervisor.open("jobs", ticks.supervised());
        this.handlers = Supervisor.open("job handlers", ticks.supervised());
    }

    void start() {
        try {
            ticks.threads().startPlatform("tenure-jobs", this::loop);
        } catch (Throwable refused) {
            close();
            throw refused;
        }
    }

    void wake() {
        signal.raise();
    }

    Counters counters() {
        return counters;
    }

    int live() {
        return running.size();
    }

    /// Whether the drain has begun and each grace is set.
    boolean isDraining() {
        admission.lock();
        try {
            return draining;
        } finally {
            admission.unlock();
        }
    }

    /// What became of the jobs that ran when the drain began.
    String drained() {
        long finished = counters.finished().sum() - finishedBefore;
        return finished + " finished, " + counters.released().sum() + " released";
    }

    List<Holder> holders() {
        return running.values().stream().map(Running::holder).toList();
    }

    /// Asks a running job to end, since its row is gone.
    void cancel(long id, Reason reason) {
        var job = running.get(id);
        if (job != null) {
            job.cancel(reason);
        }
    }

    // ---- the stop ----

    /// Ends claiming; from now on each running job has its type's grace.
    void drain(Reason reason, Deadline forceAt) {
        admission.lock();
        try {
            if (!draining) {
                finishedBefore = counters.finished().sum();
            }
            draining = true;
            running.values().forEach(job -> job.stop(reason, forceAt));
        } finally {
            admission.unlock();
        }
        signal.raise();
    }

    /// Ends every grace now. Whoever waits in [#await] looks at its deadline again.
    void cancelAll(Reason reason) {
        running.values().forEach(job -> job.cancel(reason));
        over.raise();
    }

    /// Waits until all that ran is joined, settled or given back, at most until the deadline, which may
    /// move.
    ///
    /// @return whether it is; if not, the worker goes on giving signs of life for what still runs
    boolean await(Supplier<Deadline> deadline) {
        Deadline until = deadline.get();
        while (!ended && !until.passed()) {
            end = until;
            signal.raise();
            over.await(until, ticks.timers());
            until = deadline.get();
        }
        end = until;
        signal.raise();
        return ended;
    }

    // ---- the worker's thread ----

    private void loop() {
        try {
            while (!isOver()) {
                signal.await(turn(), ticks.timers());
            }
        } finally {
            close();
        }
    }

    private void close() {
        try {
            handlers.close();
            waiting.close();
        } finally {
            ended = true;
            over.raise();
        }
    }

    private boolean isOver() {
        return draining && running.isEmpty() && (!doubt.get() || end.passed());
    }

    /// One turn. What fails in it is told and tried again.
    ///
    /// @return when the next turn is due, unless something wakes it
    private Deadline turn() {
        int before = troubles;
        Deadline next = Deadline.none();
        try {
            forgetWhatNeverBegan();
            freeWhatIsInDoubt();
            beat();
            next = draining ? Deadline.none() : claim();
        } catch (Throwable failure) {
            troubled("turn", failure);
        }
        if (troubles > before || doubt.get()) {
            next = next.min(ticks.in(PAUSE.multipliedBy(1L << Math.min(troubles, DOUBLINGS_MAX))));
        } else {
            troubles = 0;
        }
        return running.isEmpty() ? next : next.min(nextBeat);
    }

    /// A task that failed before its first step neither settled its job nor said so: the job was not begun either.
    private void forgetWhatNeverBegan() {
        if (running.values().removeIf(Running::neverBegan)) {
            doubt.set(true);
        }
    }

    private void freeWhatIsInDoubt() {
        if (!doubt.getAndSet(false)) {
            return;
        }
        var kept = List.copyOf(running.keySet());
        var freed = writes.run(tx -> claims.freeOwn(tx.connection(), kept));
        if (!(freed instanceof CommitOutcome.Committed<Integer>)) {
            doubt.set(true);
            tell("setting claims free", freed);
        }
    }

    /// Renews what runs. A claim that is lost cancels its run.
    private void beat() {
        if (running.isEmpty() || !(nextBeat.isNone() || nextBeat.passed())) {
            return;
        }
        nextBeat = ticks.in(settings.rhythm().heartbeat());
        var alive = List.copyOf(running.values());
        var renewed = writes.run(tx -> {
            var lost = new ArrayList<Running>();
            for (Running job : alive) {
                if (!JobTable.renew(tx.connection(), job.job(), ticks.now())) {
                    lost.add(job);
                }
            }
            return lost;
        });
        if (renewed instanceof CommitOutcome.Committed<ArrayList<Running>>(var lost)) {
            lost.forEach(this::lost);
        } else {
            nextBeat = ticks.in(settings.rhythm().heartbeat().dividedBy(4));
            tell("heartbeat", renewed);
        }
    }

    private void lost(Running job) {
        if (running.containsKey(job.job().id()) && job.run().completion() == JobRun.Completion.NONE) {
            job.cancel(Reason.of(Reason.Kind.REQUEST, "the claim is lost: taken over, or the job was cancelled"));
        }
    }

    /// Claims what is due, as far as there is room.
    ///
    /// @return when to look again
    private Deadline claim() throws Exception {
        if (room() <= 0 || settings.registrations().isEmpty()) {
            return Deadline.none();
        }
        Optional<Instant> due = database.withReader(claims::nextDue);
        Instant now = ticks.now();
        if (due.isEmpty() || due.get().isAfter(now)) {
            Deadline nextLook = ticks.in(settings.rhythm().poll());
            return due.map(at -> nextLook.min(ticks.in(Duration.between(now, at))))
                    .orElse(nextLook);
        }
        return claim(now) ? ticks.in(Duration.ZERO) : ticks.in(PAUSE);
    }

    /// Whether something was claimed. If this throws or does not know, the claims are in doubt.
    private boolean claim(Instant now) {
        boolean known = false;
        try {
            Probe.before("claim", "job");
            var outcome = writes.run(tx -> claims.claim(tx.connection(), now, room()));
            if (!(outcome instanceof CommitOutcome.Committed<ClaimTable.Claims>(var found))) {
                known = outcome instanceof CommitOutcome.RolledBack<?>;
                tell("claim", outcome);
                return false;
            }
            Probe.after("claim", "job");
            counters.dead().add(found.buried().size());
            found.claimed().forEach(this::run);
            known = true;
            return !found.claimed().isEmpty() || !found.buried().isEmpty();
        } finally {
            if (!known) {
                doubt.set(true);
            }
        }
    }

    /// Asked again once the writer is there: what ended meanwhile makes the batch larger, and a drain
    /// makes it empty.
    private int room() {
        return draining ? 0 : settings.concurrency() - running.size();
    }

    private void run(ClaimedJob job) {
        var registration = settings.registration(job.type());
        var started =
                new Running(job, registration, new JobRun(job, registration.policy(), ticks, () -> draining), ticks);
        if (!admit(started)) {
            giveBack(started);
            return;
        }
        boolean forked = false;
        try {
            started.awaitedBy(waiting.fork("end of " + started.label(), () -> perform(started)));
            forked = true;
        } finally {
            if (!forked) {
                running.remove(job.id());
            }
        }
    }

    private void giveBack(Running job) {
        if (!settlement.release(job.job())) {
            throw new IllegalStateException(job.label() + ": claimed while the drain began, and not given back");
        }
    }

    private boolean admit(Running job) {
        admission.lock();
        try {
            if (draining) {
                return false;
            }
            if (running.isEmpty()) {
                nextBeat = ticks.in(settings.rhythm().heartbeat());
            }
            running.put(job.job().id(), job);
            return true;
        } finally {
            admission.unlock();
        }
    }

    private boolean perform(Running job) {
        boolean settled = false;
        try {
            var outcome = job.handle(handlers);
            settled = Scope.shielded(() -> settlement.settle(job, outcome));
            Probe.before("done", "job");
        } finally {
            job.end();
            running.remove(job.job().id());
            if (!settled) {
                doubt.set(true);
            }
            signal.raise();
        }
        Probe.after("done", "job");
        return settled;
    }

    private void tell(String what, CommitOutcome<?> outcome) {
        troubled(what, Writes.failure(outcome));
    }

    private void troubled(String what, Throwable failure) {
        troubles++;
        ticks.observer().failed("jobs worker: " + what, failure);
    }
}

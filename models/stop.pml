/*
 * Host stop: one coordinator, hooks that may hang, work in flight, a second signal, callers that wait for the report.
 * Part 0 uses part 1, so part 1 is disposed of last. One step is one shared access of the Java code; README.md maps
 * them.
 *
 * Time is a count of ticks since the first request. It passes only while the coordinator waits, and not beyond the
 * instant it waits for: the model proves the budget arithmetic and the waits, not the speed of a machine.
 */

#ifndef CALLERS
#define CALLERS 2
#endif
#ifndef ACTIVITIES
#define ACTIVITIES 1
#endif
#ifndef BUDGET
#define BUDGET 8
#endif

#define PARTS 2
#define FORCED_TICKS 3      /* after a second signal */

/* BudgetPlan.of */
#define RESERVE (BUDGET / 2)
#define WINDOW (RESERVE / 4)

#define ADMISSION 0
#define DRAIN 1
#define DISPOSE 2
#define FLUSH 3
#define call(part, phase) ((part) * 4 + (phase))

byte now;
byte total = BUDGET, forceAt = BUDGET - RESERVE, coopEnd = BUDGET - RESERVE + WINDOW, disposeEnd = BUDGET - WINDOW;

bool signalled;             /* Host.signalled */
bool requested;             /* Lifecycle.request */
bool forceAsked;            /* Lifecycle.force */
byte askedAt;
bool shortened;             /* Coordinator.shortened */
bool forced;                /* Coordinator.forcedNanos != null */
bool waiting;
byte until;

bool sealed;                /* Gate of the activities */
byte inFlight;
bool over[8];               /* HookCall.isOver, by call(part, phase) */
bool entered[8];
byte report;                /* Lifecycle.ended: 0 until there is one */

/* Ghosts. */
byte reports;
byte forces[PARTS];
byte told;                  /* callers that returned */
byte first;                 /* what the first of them was told */

/* ---- the world: hooks, work, clock ---- */

#define wasLeft(part, phase) (entered[call(part, phase)] && !over[call(part, phase)])
#define EARLIER_ARE_OVER(part, phase) \
    (phase <= ADMISSION || !wasLeft(part, ADMISSION)) && (phase <= DRAIN || !wasLeft(part, DRAIN)) && \
    (phase <= DISPOSE || !wasLeft(part, DISPOSE))

/*
 * A hook takes any time: it may end before or after every other step, the report included, which is what a hang looks
 * like. The drain of part 0 waits for the work in flight.
 */
proctype hook(byte part; byte phase) {
#ifndef CALLS_OVERLAP
    EARLIER_ARE_OVER(part, phase);                             /* HookCall.call waits for the earlier one */
#endif
    if
    :: part == 0 && phase == ADMISSION -> sealed = true
    :: part == 0 && phase == DRAIN -> inFlight == 0
    :: part == 1 && phase == DISPOSE -> assert(inFlight == 0)  /* nobody uses what is disposed of */
    :: else
    fi;
    over[call(part, phase)] = true
}

proctype activity() {
    if
    :: atomic { sealed -> skip }
    :: atomic { !sealed -> inFlight++ }; inFlight--
    fi
}

/* The bell of a second signal ends a wait at once. */
#ifdef FORCE_WITHOUT_BELL
#define BELL_RINGS false
#else
#define BELL_RINGS (forceAsked && !shortened)
#endif

proctype clock() {
end_clock:
    do
    :: atomic { waiting && now < until && !BELL_RINGS -> now++ }
    od
}

/* ---- the coordinator ---- */

inline min(to, value) {
    if
    :: value < to -> to = value
    :: else
    fi
}

/* Coordinator.forceIfDue and BudgetPlan.forcedAt. */
inline forceIfDue() {
    if
    :: forceAsked && !shortened ->
            shortened = true;
#ifdef SECOND_SIGNAL_NEW_BUDGET
            total = askedAt + BUDGET;
#else
            min(total, askedAt + FORCED_TICKS);
#endif
            min(forceAt, askedAt);
            min(coopEnd, askedAt + (total - askedAt) / 2);
            min(disposeEnd, total - (total > askedAt))
    :: else
    fi;
    if
    :: !forced && now >= forceAt ->
        forced = true;
        p = 0;
        do
        :: p < PARTS ->
            forces[p]++;
            assert(forces[p] == 1);                            /* force is asked of each part once */
            p++
        :: else -> break
        od
    :: else
    fi
}

/* Coordinator.await: until the condition holds or the instant, which the plan may bring nearer, has come. */
#ifdef WAIT_WITHOUT_END
#define END_OF(end) (BUDGET + 2)
#else
#define END_OF(end) (end)
#endif
#define await(condition, end) \
    do \
    :: atomic { \
        forceIfDue(); \
        if \
        :: (condition) || now >= END_OF(end) -> break \
        :: else -> \
            until = END_OF(end); \
            if \
            :: !forced && forceAt < until -> until = forceAt \
            :: else \
            fi; \
            waiting = true \
        fi }; \
        atomic { ((condition) || now >= until || BELL_RINGS) -> waiting = false } \
    od

inline enter(part, phase) {
    entered[call(part, phase)] = true;
    run hook(part, phase)
}

#define isQuiet(part) (!wasLeft(part, ADMISSION) && !wasLeft(part, DRAIN) && !wasLeft(part, DISPOSE))
#define isOver(part, phase) over[call(part, phase)]

proctype coordinator() {
    byte p, part, early, share;
    requested;
    /* admission: a share of a quarter of the time before force */
    enter(0, ADMISSION);
    early = (now < forceAt -> now + (forceAt - now + 3) / 4 : now);
    await(isOver(0, ADMISSION) || shortened, (early < forceAt -> early : forceAt));
    /* drain, together */
    enter(0, DRAIN);
    enter(1, DRAIN);
    await(isOver(0, DRAIN) && isOver(1, DRAIN), coopEnd);
    /* dispose, users first, one after the other */
    part = 0;
    do
    :: part < PARTS ->
        if
#ifndef DISPOSE_IN_USE
        :: part == 1 && !isQuiet(0)                            /* RETAINED */
        :: part == 1 && isQuiet(0) && !isQuiet(1)
        :: (part == 0 -> isQuiet(0) : isQuiet(0) && isQuiet(1)) ->
#else
        :: true ->
#endif
            enter(part, DISPOSE);
            share = (now >= disposeEnd -> disposeEnd : now + (disposeEnd - now) / (PARTS - part));
            await(isOver(part, DISPOSE), (share < disposeEnd -> share : disposeEnd))
#ifndef DISPOSE_IN_USE
        :: part == 0 && !isQuiet(0)
#endif
        fi;
        part++
    :: else -> break
    od;
    await(isQuiet(0) && isQuiet(1), disposeEnd);
    /* telemetry */
#ifdef TELEMETRY
    enter(1, FLUSH);
    await(isOver(1, FLUSH), total);
#endif
    atomic {
        report = 1 + isQuiet(0) + 2 * isQuiet(1);
        reports++;
        assert(reports == 1);                                  /* one stop, one report */
        assert(now <= BUDGET);                                 /* inside the budget, whatever hangs */
        assert(!shortened || now <= askedAt + FORCED_TICKS)    /* a second signal only shortens */
    }
}

/* ---- who asks for the stop, and who waits for it ---- */

/* Host.onSignal: the first asks for the stop, the second for force. */
proctype signal() {
    if
    :: atomic { !signalled -> signalled = true }; requested = true
    :: atomic { signalled -> skip };
       requested;
       atomic { !forceAsked -> forceAsked = true; askedAt = now }
    fi
}

/* Host.stop, Host.close: ask, wait, take the one report. */
proctype caller() {
    byte got;
    requested = true;
#ifdef SECOND_CLOSER_RETURNS
    if
    :: told == 0 -> report != 0
    :: told == 0 -> skip
    :: else
    fi;
#else
    report != 0;
#endif
    got = report;
    atomic {
        assert(got != 0);
        if
        :: told == 0 -> first = got
        :: else -> assert(got == first)                        /* all closers get one report */
        fi;
        told++
    }
}

init {
    byte i;
    atomic {
        run clock();
        run coordinator();
        run signal();
        run signal();
        i = 0;
        do
        :: i < CALLERS -> run caller(); i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < ACTIVITIES -> run activity(); i++
        :: else -> break
        od
    }
    told == CALLERS;                                           /* every caller is told */
    assert(report != 0)
}

/* Under weak fairness every caller is told: no hook, no work and no lost wake-up keeps the report back. */
ltl ends { <> (told == CALLERS && report != 0) }

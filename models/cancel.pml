/*
 * Cancel: a scope P forks a task T and closes; T has a root scope R and a scope I nested in it. Cancellers ask P and I
 * to end while T blocks, closes, masks and returns a value. One step is one shared access of the Java code; README.md
 * maps them.
 *
 * T's second blocking call ends by an interrupt alone, so a cancel that is lost is an invalid end state. Parks have no
 * timeout, so a lost wake-up is one too.
 */

#ifndef INNER_CANCELLERS
#define INNER_CANCELLERS 1
#endif
#ifndef OUTER_CANCELLERS
#define OUTER_CANCELLERS 1
#endif

#define P 0
#define R 1
#define I 2

mtype = { OPEN, JOINING, CLOSING, CLOSED };
mtype = { RUNNING, SUCCESS, CANCELLED_OUT };
mtype = { NOWHERE, IN_R, IN_P, ENDED };

mtype phase[3];             /* Scope.phase */
bool reason[3];             /* ScopeState.reason != null */

/* MaskedStrand.word; the four fields change together where the code does one atomic update. */
bool pending;
bool delivering;
bool done;
byte depth = 1;             /* born masked */

bool threadSet;             /* Strand.thread != null */
bool flag;                  /* the interrupt flag of T's thread */
bool registered;            /* T is in Extras.tasks of P */
bool started;
bool entered;               /* P's thread is in Waiters.parked */
bool permit;                /* LockSupport's permit of P's thread */
bool shut;                  /* P's inbox refuses */
mtype outcome = RUNNING;    /* Task.outcome */

/* Ghosts. */
mtype value = NOWHERE;      /* who owns what the body produced */
bool returned;              /* the body returned */
bool finished;
#ifdef LIVENESS
#define ALONE 2             /* init and the claim */
#else
#define ALONE 1
#endif

/* ---- MaskedStrand: masks and delivery ---- */

inline mask() {
    if
    :: atomic { (depth > 0) -> depth++ }
    :: atomic { (depth == 0) -> depth++; taken = delivering };       /* one getAndAdd */
#ifndef MASK_WITHOUT_WAIT
       if
       :: taken -> !delivering
       :: else
       fi;
#endif
       atomic {
           if
           :: flag -> flag = false; taken = true
           :: else -> taken = false
           fi
       }
#ifndef MASK_DROPS_FLAG
       if
       :: taken -> pending = true
       :: else
       fi
#endif
    fi;
    taken = false
}

inline unmask() {
    if
    :: atomic { (depth > 1) -> depth-- }
    :: atomic { (depth == 1) -> depth--; taken = delivering || pending };      /* one getAndAdd */
       if
       :: taken ->
#ifndef UNMASK_WITHOUT_WAIT
          !delivering;
#endif
          atomic { taken = pending; pending = false };
          if
          :: taken -> flag = true
          :: else
          fi
       :: else
       fi
    fi;
    taken = false
}

/* MaskedStrand.ring. */
inline ring(scope) {
    if
    :: atomic { done -> skip }
    :: atomic { (!done && !delivering) -> delivering = true };
       rung = false;
       if
       :: phase[scope] == OPEN ->
           if
#ifndef RING_IGNORES_MASK
           :: depth > 0 || !threadSet -> rung = true
#endif
           :: else -> atomic { flag = true; assert(!done) }
           fi
       :: else
       fi;
       atomic { pending = pending || rung; rung = false };
       delivering = false
    fi
}

/* ScopeState.cancel: the first reason wins, and its giver rings. */
inline cancel(scope) {
    if
    :: phase[scope] == CLOSED
    :: else ->
        if
        :: atomic { reason[scope] -> skip }
        :: atomic { !reason[scope] -> reason[scope] = true }; ring(scope)
        fi
    fi
}

/* ---- the task's thread ---- */

/* ScopeClosing.swallowRing: the ring for a scope ends with it, unless one around it is cancelled too. */
inline swallowRing(parent) {
    mask();
    !delivering;
#ifdef LOOK_THEN_FORGET
    if
    :: reason[parent]
    :: else -> pending = false
    fi;
#else
    pending = false;
    if
    :: reason[parent] -> pending = true
    :: else
    fi;
#endif
    unmask()
}

inline closeI() {
    phase[I] = JOINING;
#ifndef RELEASE_UNMASKED
    mask();
#endif
    !delivering;
    phase[I] = CLOSING;
    assert(!flag);                  /* inside a release: no interrupt of ours */
    assert(!flag);
    phase[I] = CLOSED;
    if
    :: reason[I] -> swallowRing(R)
    :: else
    fi;
#ifndef RELEASE_UNMASKED
    unmask()
#endif
}

inline blockInI() {
    if
    :: flag -> flag = false; thrown = true
    :: skip
    fi
}

inline blockInR() {
    if
    :: true ->                      /* blocks until interrupted */
       atomic { flag -> flag = false; thrown = true };
       assert(reason[R])            /* a ring for the inner scope does not reach the outer one */
    :: skip                         /* or the call returns by itself */
    fi
}

/* Task.hoisted: what the body returned goes to P, which refuses only once it is shut. */
inline hoist() {
    if
    :: value == IN_R ->
        if
        :: atomic { !shut -> value = IN_P }
        :: atomic { shut -> skip }
        fi
    :: else
    fi
}

inline conclude() {
    if
    :: returned -> hoist()
    :: else
    fi;
    phase[R] = JOINING;
    mask();
    !delivering;
    phase[R] = CLOSING;
    assert(!flag);
    if
    :: value == IN_R -> value = ENDED
    :: else
    fi;
    phase[R] = CLOSED;
    if
    :: reason[R] -> mask(); !delivering; pending = false; unmask()
    :: else
    fi;
    unmask();
    atomic { !delivering -> done = true };         /* MaskedStrand.finishDelivery */
    flag = false;
#ifdef LATE_CANCEL_DROPS_SUCCESS
    if
    :: returned && !reason[R] -> outcome = SUCCESS
    :: else -> outcome = CANCELLED_OUT
    fi;
#else
    if
    :: returned -> outcome = SUCCESS
    :: else -> outcome = CANCELLED_OUT
    fi;
#endif
    assert(!returned || outcome == SUCCESS);       /* a success is never discarded */
    assert(returned || reason[R] || thrown);
    registered = false;                            /* OwnerList.taskEnded */
#ifndef END_WITHOUT_WAKE
    if
    :: entered -> permit = true
    :: else
    fi;
#endif
    assert(!flag)                                  /* the thread goes back without a stray interrupt */
}

proctype task() {
    bool taken, thrown;
    threadSet = true;
    if
    :: reason[R] -> thrown = true
    :: else ->
        unmask();
        blockInI();
        closeI();
        if
        :: !thrown -> blockInR()
        :: else
        fi;
        if
        :: !thrown -> atomic { value = IN_R; returned = true }
        :: thrown && !reason[R] -> atomic { thrown = false; value = IN_R; returned = true } /* it was I's own */
        :: thrown && reason[R]
        fi;
        mask()
    fi;
    conclude()
}

/* ---- P's thread ---- */

/* Waiters.await: enter the set, look, park, look again. */
inline awaitTasks() {
    entered = true;
    do
    :: !registered -> break
    :: else -> atomic { permit -> permit = false }
    od;
    entered = false
}

proctype owner() {
    bool rung;
    registered = true;                             /* Scope.start: publish the task, then look at the reason */
#ifndef FORK_WITHOUT_LOOK
    if
    :: reason[P] -> cancel(R)
    :: else
    fi;
#endif
    atomic { started = true; run task() };
    if
    :: awaitTasks()                                /* waits first, and only P's canceller helps */
    :: skip
    fi;
    phase[P] = JOINING;
    if
    :: registered -> cancel(R)                     /* ScopeClosing.cancelTasks */
    :: else
    fi;
#ifndef RELEASE_BEFORE_JOIN
    awaitTasks();
#endif
    phase[P] = CLOSING;
    shut = true;
    assert(!registered);                           /* tasks have ended before anything is released */
    if
    :: value == IN_P -> value = ENDED
    :: else
    fi;
    phase[P] = CLOSED
}

/* ---- cancellers ---- */

/* Cancels P: the reason first, then the tasks it sees. */
proctype cancelsP() {
    bool rung;
    if
    :: atomic { reason[P] -> skip }
    :: atomic { !reason[P] -> reason[P] = true };
       if
       :: registered -> cancel(R)
       :: else
       fi
    fi
}

proctype cancelsI() {
    bool rung;
    cancel(I)
}

init {
    byte i;
    atomic {
        phase[P] = OPEN; phase[R] = OPEN; phase[I] = OPEN;
        run owner();
        i = 0;
        do
        :: i < OUTER_CANCELLERS -> run cancelsP(); i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < INNER_CANCELLERS -> run cancelsI(); i++
        :: else -> break
        od
    }
    (_nr_pr == ALONE);                                 /* every thread ends: no cancel, no wake-up was lost */
    assert(outcome != RUNNING && phase[P] == CLOSED);
    assert(value == NOWHERE || value == ENDED);
    finished = true
}

/* Under weak fairness everybody ends: no cancel is lost, and no wait goes on for ever. */
ltl ends { <> finished }

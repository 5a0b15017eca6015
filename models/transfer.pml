/*
 * Transfer: one value, its handle in a source scope, moved to a destination scope that closes, ended by a foreign
 * thread, unblocked by a cancel hook. One step of a process is one shared access of the Java code; README.md maps them.
 *
 * A park here has no timeout, although the code's has one: so a wake-up that only the timeout would make good is an
 * error (an invalid end state).
 */

#ifndef MOVERS
#define MOVERS 1            /* foreign movers beside the source's own thread */
#endif
#ifndef RELEASERS
#define RELEASERS 1
#endif
#define NODES (2 + MOVERS)  /* node 0 is linked in the source; node 1 + m is what mover m reserves */
#define S 0                 /* the source, closed by its thread after a move of its own */
#define D 1                 /* the destination */
#define NOBODY 255

mtype = { UNUSED, RESERVED, HELD, HOOKING, SIGNALLED, RELEASING, RELEASED, MOVED };

mtype state[NODES];         /* Owned.state */
bool filled[NODES];         /* Owned.value != null */
byte owner[NODES];          /* Owned.owner */
byte inbox[2];              /* Extras.inbox, as a set of nodes */
bool shut[2];               /* Extras.REFUSING */
byte list[2];               /* OwnerList.head and its links, as a set of nodes */
bool permit[2];             /* LockSupport's permit of the scope's thread */
bool closed[2];             /* Scope.phase == CLOSED */
bool cancelled;             /* the destination's reason */
byte hooks;                 /* Extras.hooks, as a set of nodes */

/* Ghosts: no Java code reads these. */
byte claims = 1;            /* owners of the value: one from the beginning, none after its end */
byte releases;              /* how often the release started */
byte hooksRunning;
byte moved;                 /* successful moves */
bool finished;
#ifdef LIVENESS
#define ALONE 2             /* init and the claim */
#else
#define ALONE 1
#endif

#define isHeld(n) (state[n] == HELD || state[n] == SIGNALLED)
#define isEnded(n) (state[n] == RELEASED || state[n] == MOVED)
#define bit(n) (1 << (n))

inline unpark(scope) { permit[scope] = true }

/* Owned.claimFromHeld: a compare-and-set, or a wait for the hook. */
inline claim(node, to, won) {
    do
    :: atomic { isHeld(node) -> state[node] = to; won = true }; break
    :: atomic { !isHeld(node) && state[node] != HOOKING -> won = false }; break
    od
}

/* Owned.end: the first ends the value, the others wait until it has ended. */
inline end(node, self, won) {
#ifdef CHECK_THEN_RELEASE
    won = isHeld(node) || state[node] == HOOKING;
    if
    :: won -> state[node] = RELEASING
    :: else
    fi;
#else
    claim(node, RELEASING, won);
#endif
    if
    :: won ->
        atomic {
            releases++;
            assert(releases == 1);             /* released once */
            assert(filled[node]);              /* and by its owner */
            assert(hooksRunning == 0);         /* and not under its hook */
        }
        atomic { filled[node] = false; state[node] = RELEASED; claims--; assert(claims == 0) }
#ifndef RELEASE_WITHOUT_UNPARK
        if
        :: owner[node] != self -> unpark(owner[node])
        :: else
        fi
#endif
    :: else ->
#ifdef SECOND_RELEASER_RETURNS
        skip
#else
        isEnded(node)                          /* Owned.awaitEnd */
#endif
    fi;
    assert(state[node] == RELEASED || state[node] == MOVED)
}

/* Owned.unlinkFromOwner: the owner's thread unlinks, a foreign one leaves a tombstone. */
inline unlink(node, self) {
    if
    :: owner[node] == self -> list[owner[node]] = list[owner[node]] & ~bit(node)
    :: else
    fi
}

/* Owned.runHook. */
inline runHook(node) {
    if
    :: atomic { state[node] == HELD ->
#ifdef HOOK_RETIRES
           state[node] = RELEASED
#else
           state[node] = HOOKING
#endif
           ; hooksRunning++ };
       atomic {
           hooksRunning--;
#ifndef HOOK_RETIRES
           state[node] = SIGNALLED
#endif
       }
    :: atomic { state[node] != HELD -> skip }
    fi
}

/* Owned.moveTo(Scope) from a thread that is not the destination's. */
inline moveToD(node, self, won) {
    atomic { state[node] = RESERVED; owner[node] = D; filled[node] = false }
    if
    :: atomic { shut[D] -> won = false; state[node] = UNUSED }   /* Extras.offer refuses: AdmissionClosed */
    :: atomic { !shut[D] -> inbox[D] = inbox[D] | bit(node); won = true }
    fi;
    if
    :: won ->
#ifdef FILL_BEFORE_CLAIM
        atomic { filled[node] = true; state[node] = HELD; claims++ }
        assert(claims <= 1);
        claim(0, MOVED, won);
        atomic { if :: won -> claims--; filled[0] = false; moved++ :: else fi }
#else
        claim(0, MOVED, won);
        if
        :: won ->
            atomic { filled[0] = false; filled[node] = true; moved++ }
            atomic { state[node] = HELD; assert(!closed[D]) }
            unpark(D);                         /* OwnerList.settled */
            hooks = hooks | bit(node);         /* ScopeState.registerHook: publish, then look at the reason */
            if
            :: cancelled -> runHook(node)
            :: else
            fi;
            unlink(0, self)
        :: else ->                             /* Owned.abandonReservation, then StaleHandle */
            state[node] = MOVED;
#ifndef ABORT_WITHOUT_UNPARK
            unpark(D);
#endif
            unlink(node, self)
        fi
#endif
    :: else
    fi
}

/* ScopeClosing.release: shut the inbox, then end what is linked, newest first, waiting for whoever is at it. */
inline close(scope, node, won) {
#ifdef NO_SHUT
    atomic { list[scope] = list[scope] | inbox[scope]; inbox[scope] = 0 }
#else
    atomic { shut[scope] = true; list[scope] = list[scope] | inbox[scope]; inbox[scope] = 0 }
#endif
    node = NODES;
    do
    :: node == 0 -> break
    :: else ->
        node--;
        if
        :: list[scope] & bit(node) ->
            do
            :: state[node] == RESERVED || state[node] == RELEASING ->
                atomic { permit[scope] -> permit[scope] = false }      /* LockSupport.park */
            :: else -> break
            od;
            if
            :: isEnded(node)
            :: else -> end(node, scope, won)
            fi;
            list[scope] = list[scope] & ~bit(node)
        :: else
        fi
    od;
    atomic { closed[scope] = true; node = 0 }
}

/* The thread of the source: moves its handle, then closes. */
proctype source() {
    bool won;
    byte node;
    moveToD(1, S, won);
    close(S, node, won);
    assert(isEnded(0))
}

/* The thread of the destination. */
proctype destination() {
    bool won;
    byte node;
    close(D, node, won)
}

/* Another thread that was given the handle and moves it too. */
proctype mover(byte node) {
    bool won;
    moveToD(node, NOBODY, won)
}

/* A foreign thread that was given the handle and closes it; what was moved meanwhile is not its business. */
proctype releaser() {
    bool won;
    end(0, NOBODY, won)
}

/* Cancels the destination: the reason first, then the hooks it sees. */
proctype canceller() {
    byte node = 1;
    cancelled = true;
    do
    :: node < NODES ->
        if
        :: hooks & bit(node) -> runHook(node)
        :: else
        fi;
        node++
    :: else -> break
    od
}

init {
    byte i;
    atomic {
        i = 0;
        do
        :: i < NODES -> state[i] = UNUSED; owner[i] = NOBODY; i++
        :: else -> break
        od;
        state[0] = HELD; filled[0] = true; owner[0] = S; list[S] = bit(0);
        run source(); run destination(); run canceller();
        i = 0;
        do
        :: i < MOVERS -> run mover(2 + i); i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < RELEASERS -> run releaser(); i++
        :: else -> break
        od
    }
    (_nr_pr == ALONE);                             /* every thread ends: no wake-up was lost */
    assert(closed[S] && closed[D]);
    assert(releases == 1 && claims == 0);      /* the value ended, once, before its owner said CLOSED */
    assert(moved <= 1);
    finished = true
}

/* Under weak fairness everybody ends: no wait goes on for ever, by a lost wake-up or by spinning. */
ltl ends { <> finished }

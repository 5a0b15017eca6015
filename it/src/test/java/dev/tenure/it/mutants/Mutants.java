package dev.tenure.it.mutants;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/// The errors that the kit must see; each stands for one that some library of this kind has had.
final class Mutants {
    private static final ClassDesc STATE = ClassDesc.of("dev.tenure.core.Owned$State");
    private static final ClassDesc SCOPE = ClassDesc.of("dev.tenure.core.Scope");

    private Mutants() {}

    static final List<Mutant> ALL = List.of(
            new Mutant(
                    "skip-link",
                    "an acquired value is not linked",
                    "Scope",
                    "acquire",
                    Edit.without("Scope", "push"),
                    "owning",
                    1),
            new Mutant(
                    "own-skips-link",
                    "an owned value is not linked",
                    "Scope",
                    "own",
                    Edit.without("Scope", "push"),
                    "owning",
                    1),
            new Mutant(
                    "checkpoint-after-acquire",
                    "a cancel is looked for between acquire and registration",
                    "Scope",
                    "acquire",
                    Edit.after("Owned", "hold", Mutants::checkpoint),
                    "owning",
                    12),
            new Mutant(
                    "refused-value-kept",
                    "a value that cannot be registered is not released",
                    "ScopeState",
                    "releaseRefused",
                    Edit.without("ResourceType", "end"),
                    "owning",
                    12),
            new Mutant(
                    "catch-exception-only",
                    "an Error in a release ends the close",
                    "Owned",
                    "endValue",
                    Edit.catchingExceptions(),
                    "owning",
                    1),
            new Mutant(
                    "oldest-first",
                    "a close ends the oldest value first",
                    "ScopeClosing",
                    "release",
                    Edit.afterReading("head", Mutants::oldest),
                    "owning",
                    5),
            new Mutant(
                    "release-without-claim",
                    "a release does not ask whether somebody was first",
                    "Owned",
                    "startEnding",
                    Edit.after("Owned", "claim", Mutants::held),
                    "owning",
                    2),
            new Mutant(
                    "hook-retires",
                    "a cancel hook ends its handle",
                    "Owned",
                    "runHook",
                    Edit.afterReading("SIGNALLED", Mutants::released),
                    "owning",
                    1),
            new Mutant(
                    "report-counts-twice",
                    "a report counts each release twice",
                    "ScopeClosing",
                    "noteRelease",
                    Edit.number(1, 2),
                    "owning",
                    10),
            new Mutant(
                    "report-forgets-failures",
                    "a failed release is not in the report",
                    "ScopeClosing",
                    "noteRelease",
                    Edit.without("Optional", "ifPresent"),
                    "owning",
                    9),
            new Mutant(
                    "release-unmasked",
                    "an early release runs without a mask",
                    "Owned",
                    "release",
                    Edit.without("Strand", "mask").and(Edit.without("Strand", "unmask")),
                    "masking",
                    6),
            new Mutant(
                    "ring-ignores-mask",
                    "a cancel interrupts although a mask is in force",
                    "MaskedStrand",
                    "ring",
                    Edit.reading("word", 0),
                    "masking",
                    6),
            new Mutant(
                    "mask-drops-interrupt",
                    "entering a mask forgets the interrupt that it takes away",
                    "MaskedStrand",
                    "keepInterrupt",
                    Edit.without("MaskedStrand", "setBits"),
                    "masking",
                    11),
            new Mutant(
                    "pending-is-lost",
                    "leaving a mask does not deliver what waited for it",
                    "MaskedStrand",
                    "unmask",
                    Edit.without("Thread", "interrupt"),
                    "masking",
                    11),
            new Mutant(
                    "release-before-join",
                    "a close does not wait for its tasks",
                    "ScopeClosing",
                    "join",
                    Edit.answering("Waiters", "await", 1),
                    "joining",
                    5),
            new Mutant(
                    "cancel-stays-above",
                    "the cancel of a scope does not reach its tasks",
                    "ScopeCancelling",
                    "signal",
                    Edit.without("Task", "cancel"),
                    "cancelling",
                    11),
            new Mutant(
                    "fork-without-look",
                    "a fork does not look whether its scope is cancelled",
                    "Scope",
                    "start",
                    Edit.without("Scope", "firstReason"),
                    "cancelling",
                    11),
            new Mutant(
                    "cancel-drops-success",
                    "a late cancel makes a success a cancellation",
                    "Task",
                    "outcomeOf",
                    Edit.beforeMaking("Outcome$Success", Mutants::cancelledOut),
                    "hoisting",
                    12),
            new Mutant(
                    "cleanup-hides-failure",
                    "a failure in cleanup replaces the first one",
                    "Task",
                    "merged",
                    Edit.instead(
                            "Throwable",
                            "addSuppressed",
                            code -> code.pop2().aload(2).areturn()),
                    "failing",
                    9),
            new Mutant(
                    "deadline-not-inherited",
                    "a nested scope has not the deadline around it",
                    "Scope",
                    "open",
                    Edit.afterReading("deadline", Mutants::none),
                    "deadline",
                    11),
            new Mutant(
                    "deadline-not-armed",
                    "no timer rings for a deadline",
                    "Scope",
                    "open",
                    Edit.without("Scope", "arm"),
                    "deadline",
                    11),
            new Mutant(
                    "move-fills-before-claim",
                    "a move fills its taker without having claimed the giver",
                    "Owned",
                    "claimFor",
                    Edit.after("Owned", "claim", Mutants::held),
                    "moving",
                    2),
            new Mutant(
                    "move-keeps-reservation",
                    "a mover that comes too late leaves its reservation",
                    "Owned",
                    "claimFor",
                    Edit.without("Owned", "abandonReservation"),
                    "moving",
                    11),
            new Mutant(
                    "no-shut-sentinel",
                    "a closing scope empties its inbox, but takes more",
                    "Extras",
                    "drain",
                    Edit.taking(1, 0),
                    "moving in",
                    1),
            new Mutant(
                    "second-releaser-returns",
                    "the second closer of a handle does not wait",
                    "Owned",
                    "end",
                    Edit.without("Owned", "awaitSettled"),
                    "closing twice",
                    10),
            new Mutant(
                    "second-closer-returns",
                    "a close of a supervisor does not wait for its end",
                    "SupervisorClosing",
                    "close",
                    Edit.answering("Waiters", "await", 0),
                    "supervising",
                    10),
            new Mutant(
                    "supervisor-forgets-values",
                    "a supervisor's close does not release",
                    "SupervisorClosing",
                    "releaseAll",
                    Edit.instead("Stream", "toList", Mutants::nothing),
                    "supervising",
                    11),
            new Mutant(
                    "published-is-discarded",
                    "a published value is discarded, too",
                    "Staged",
                    "end|letGo",
                    Edit.answering("AtomicReference", "compareAndSet", 1).and(Edit.without("Owned", "relinquish")),
                    "staging",
                    7),
            new Mutant(
                    "permit-not-counted",
                    "a permit that nobody waits for is given back, but not counted",
                    "Permits",
                    "nextGranted",
                    Edit.number(1, 0),
                    "permits",
                    12),
            new Mutant(
                    "alarm-left-armed",
                    "the timer of a deadline outlives its scope",
                    "ScopeClosing",
                    "cancelTasks",
                    Edit.without("Timers$Alarm", "cancel"),
                    "budgets",
                    8),
            new Mutant(
                    "budget-left-armed",
                    "the timer of a close's budget outlives the close",
                    "ScopeClosing",
                    "within",
                    Edit.without("Timers$Alarm", "cancel"),
                    "budgets",
                    8),
            new Mutant(
                    "overdue-is-silent",
                    "a close that is over its budget is not reported as overdue",
                    "ScopeClosing",
                    "overran",
                    Edit.without("ScopeClosing", "remember"),
                    "overdue",
                    11),
            new Mutant(
                    "wait-outlives-deadline",
                    "a wait goes on when its deadline has passed",
                    "Waiters",
                    "await",
                    Edit.without("Deadline", "passed"),
                    "waiting",
                    11),
            new Mutant(
                    "nag-left-armed",
                    "the timer that reminds a task of its cancel outlives the task",
                    "MaskedStrand",
                    "finishDelivery",
                    Edit.without("Timers$Alarm", "cancel"),
                    "nagging",
                    8),
            new Mutant(
                    "release-stays-masked",
                    "an early release leaves its mask in force",
                    "Owned",
                    "release",
                    Edit.without("Strand", "unmask"),
                    "masking",
                    11),
            new Mutant(
                    "fork-forgets-refusal",
                    "a task whose value was refused stays registered",
                    "Scope",
                    "fork",
                    Edit.without("Task", "abandon"),
                    "giving",
                    11),
            new Mutant(
                    "move-forgets-hook",
                    "the taker of a moved value does not know its cancel hook",
                    "Owned",
                    "moveInto",
                    Edit.without("OwnerList", "registerHook"),
                    "giving",
                    11),
            new Mutant(
                    "late-hoist-dropped",
                    "a handle that a cancelled task returns is not passed on",
                    "Task",
                    "hoisted",
                    Edit.afterReading("root", Mutants::otherIfCancelled),
                    "passing on",
                    4),
            new Mutant(
                    "queue-forgets-values",
                    "a queue's close does not release what is in transit",
                    "HandoffQueue",
                    "releaseAll",
                    Edit.instead("Transit", "handles", Mutants::nothing),
                    "queue",
                    11),
            new Mutant(
                    "close-ignores-borrowers",
                    "a shared value is released while it is borrowed",
                    "Shared",
                    "close",
                    Edit.answering("Waiters", "await", 1).and(Edit.answering("Share", "endWait", 1)),
                    "sharing",
                    4));

    private static void checkpoint(CodeBuilder code) {
        code.aload(0).invokevirtual(SCOPE, "checkpoint", MethodTypeDesc.of(ConstantDescs.CD_void));
    }

    /// Whatever the claim said, the handle was held.
    private static void held(CodeBuilder code) {
        code.pop().getstatic(STATE, "HELD", STATE);
    }

    private static void released(CodeBuilder code) {
        code.pop().getstatic(STATE, "RELEASED", STATE);
    }

    private static void oldest(CodeBuilder code) {
        var owned = ClassDesc.of("dev.tenure.core.Owned");
        var again = code.newLabel();
        var end = code.newLabel();
        code.dup().ifnull(end);
        code.labelBinding(again).dup().getfield(owned, "next", owned).ifnull(end);
        code.getfield(owned, "next", owned).goto_(again);
        code.labelBinding(end);
    }

    private static void none(CodeBuilder code) {
        var deadline = ClassDesc.of("dev.tenure.core.Deadline");
        code.pop().invokestatic(deadline, "none", MethodTypeDesc.of(deadline));
    }

    /// A cancelled root passes for none.
    private static void otherIfCancelled(CodeBuilder code) {
        var live = code.newLabel();
        code.dup().invokevirtual(SCOPE, "wasCancelledItself", MethodTypeDesc.of(ConstantDescs.CD_boolean));
        code.ifeq(live).pop().aconst_null().checkcast(SCOPE).labelBinding(live);
    }

    private static void nothing(CodeBuilder code) {
        code.pop().invokestatic(ConstantDescs.CD_List, "of", MethodTypeDesc.of(ConstantDescs.CD_List), true);
    }

    private static void cancelledOut(CodeBuilder code) {
        var out = ClassDesc.of("dev.tenure.core.Outcome$CancelledOut");
        var optional = ClassDesc.of("java.util.Optional");
        var reason = ClassDesc.of("dev.tenure.core.Reason");
        var onTime = code.newLabel();
        code.iload(3).ifeq(onTime).new_(out).dup();
        code.aload(0).getfield(ClassDesc.of("dev.tenure.core.Task"), "root", SCOPE);
        code.invokevirtual(SCOPE, "cancelled", MethodTypeDesc.of(optional));
        code.invokevirtual(optional, "get", MethodTypeDesc.of(ConstantDescs.CD_Object))
                .checkcast(reason);
        code.invokespecial(out, "<init>", MethodTypeDesc.of(ConstantDescs.CD_void, reason))
                .areturn();
        code.labelBinding(onTime);
    }
}

package dev.tenure.host;

import dev.tenure.core.Deadline;
import dev.tenure.host.Tracked.Evidence;
import dev.tenure.host.internal.Bell;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Asks components for their numbers and holders, each on a thread of its own, since that is their code and may
/// hang too.
///
/// **Limits:** waits at most as long as it is told, in real time.
final class EvidenceRound {
    private final HostSettings settings;
    private final Bell bell;

    EvidenceRound(HostSettings settings, Bell bell) {
        this.settings = settings;
        this.bell = bell;
    }

    /// Asks once for nothing, all on one thread: who is asked for the first time loads the classes of its answer, and
    /// after a second signal there is no time for that.
    void rehearse(List<Tracked> parts) {
        try {
            settings.threads().startPlatform("tenure-host-evidence", () -> parts.forEach(EvidenceRound::rehearse));
        } catch (Throwable _) {
            // The round that counts says why no thread can be started.
        }
    }

    private static void rehearse(Tracked part) {
        try {
            OwnedWork.run(evidenceOf(part), () -> Evidence.of(part.component(), part.phases()));
        } catch (Throwable _) {
            // The round that counts tells of it.
        }
    }

    private static String evidenceOf(Tracked part) {
        return "the evidence of '" + part.name() + "'";
    }

    /// Asks without waiting; what they say counts whenever it comes.
    void ask(List<Tracked> parts) {
        var pending = new AtomicInteger(parts.size());
        parts.forEach(part -> ask(part, pending));
    }

    /// Asks, and waits until all have said or the time is over.
    void gather(List<Tracked> parts, Duration limit) {
        var pending = new AtomicInteger(parts.size());
        var answered = parts.stream().map(part -> ask(part, pending)).toList();
        bell.await(() -> pending.get() == 0, Deadline.in(limit));
        for (var question : answered) {
            question.giveUp(limit);
        }
    }

    private Question ask(Tracked part, AtomicInteger pending) {
        var question = new Question(part);
        try {
            settings.threads().startPlatform("tenure-host-evidence", () -> {
                question.answer();
                pending.decrementAndGet();
                bell.ring();
            });
        } catch (Throwable refused) {
            question.failed(refused);
            pending.decrementAndGet();
        }
        return question;
    }

    /// One component being asked. An answer that comes after the end of the wait still counts for what comes later.
    private static final class Question {
        private final Tracked part;
        private boolean settled;

        Question(Tracked part) {
            this.part = part;
        }

        void answer() {
            try {
                OwnedWork.run(evidenceOf(part), () -> accept(Evidence.of(part.component(), part.phases())));
            } catch (Throwable thrown) {
                failed(thrown);
            }
        }

        private synchronized void accept(Evidence said) {
            settled = true;
            part.evidence(said);
        }

        synchronized void failed(Throwable thrown) {
            if (!settled) {
                settled = true;
                part.noEvidence(thrown);
            }
        }

        synchronized void giveUp(Duration limit) {
            if (!settled) {
                settled = true;
                part.silent(new IllegalStateException(
                        "%s did not say within %d ms who still uses it".formatted(part.name(), limit.toMillis())));
            }
        }
    }
}

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

    /// Asks without waiting; what they say counts whenever it comes.
    void ask(List<Tracked> parts) {
        var pending = new AtomicInteger(parts.size());
        parts.forEach(part -> ask(part, pending));
    }

    void gather(List<Tracked> parts, Duration limit) {
        var pending = new AtomicInteger(parts.size());
        var answered = parts.stream().map(part -> ask(part, pending)).toList();
        bell.await(() -> pending.get() == 0, Deadline.in(limit));
        for (var question : answered) {
            question.settle(limit);
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
                OwnedWork.run(
                        "the evidence of '" + part.name() + "'",
                        () -> accept(Evidence.of(part.component(), part.phases())));
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

        void settle(Duration limit) {
            failed(new IllegalStateException(
                    "%s did not say within %d ms who still uses it".formatted(part.name(), limit.toMillis())));
        }
    }
}

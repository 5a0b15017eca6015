package dev.tenure.examples.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.AdmissionClosed;
import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.HandoffQueue;
import dev.tenure.core.Owned;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Shared;
import dev.tenure.core.StaleHandle;
import dev.tenure.core.Supervisor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The code of `docs/explanation/ownership.md`.
class OwnershipTest {
    private final List<String> ended = new ArrayList<>();
    private final ResourceType<String> letter = ResourceType.of("letter", ended::add);

    @Test
    void scope_endsNewestFirst() {
        // tag::order
        try (Scope scope = Scope.open("desk")) {
            scope.own(letter, "first");
            Owned<String> early = scope.own(letter, "second");
            scope.own(letter, "third");
            early.close(); // sooner than its scope; once
        } // then third, first
        // end::order
        assertThat(ended).containsExactly("second", "third", "first");
    }

    @Test
    void move_killsTheGiversHandle() {
        try (Supervisor archive = Supervisor.open("archive")) {
            // tag::move
            try (Scope scope = Scope.open("desk")) {
                Owned<String> mine = scope.own(letter, "kept");
                Owned<String> theirs = mine.moveTo(archive); // returns: archive owns; throws: scope still owns
                assertThat(theirs.get()).isEqualTo("kept");
                assertThatThrownBy(mine::get).isInstanceOf(StaleHandle.class);
            }
            // end::move
            assertThat(ended).isEmpty();
        }
        assertThat(ended).containsExactly("kept");
    }

    @Test
    void queue_ownsWhatIsInTransit() {
        try (HandoffQueue<String> tray = HandoffQueue.open("tray", 1)) {
            // tag::queue
            try (Scope giver = Scope.open("giver")) {
                assertThat(tray.offer(giver.own(letter, "one"))).isTrue(); // the tray owns it now
                assertThat(tray.offer(giver.own(letter, "two"))).isFalse(); // full: the giver owns it, as before
            }
            // end::queue
            assertThat(ended).containsExactly("two");
            try (Scope taker = Scope.open("taker")) {
                assertThat(tray.take(taker).get()).isEqualTo("one");
            }
        }
        assertThat(ended).containsExactly("two", "one");
    }

    @Test
    void share_outlivesItsBorrowers() {
        // tag::borrow
        Shared<String> shared = Shared.of(letter, "read by many");
        try (Scope reader = Scope.open("reader")) {
            Shared.Borrowed<String> borrowed = shared.borrow(reader);
            assertThat(borrowed.get()).isEqualTo("read by many");
        } // given back here at the latest
        shared.close(); // refuses borrowers, waits for those there are, then ends the letter
        // end::borrow
        assertThat(ended).containsExactly("read by many");
        try (Scope late = Scope.open("late")) {
            assertThatThrownBy(() -> shared.borrow(late)).isInstanceOf(AdmissionClosed.class);
        }
    }

    @Test
    void close_hasOneReport() {
        // tag::report
        Supervisor archive = Supervisor.open("archive");
        archive.own(letter, "kept");
        CloseReport first = archive.close(Deadline.none());
        CloseReport second = archive.close(Deadline.none()); // the same report: no second close, no new budget
        // end::report
        assertThat(second).isSameAs(first);
        assertThat(first.status()).isEqualTo(CloseReport.Status.CLEAN);
        assertThat(first.released()).isEqualTo(1);
    }
}

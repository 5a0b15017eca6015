package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Threads;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TrailTest {
    @Test
    void await_eventOfAnotherThread_isSeen() {
        var trail = new Trail();
        Threads.system().startPlatform("adder", () -> {
            trail.add("a");
            trail.add("b");
        });

        trail.await("b");
        trail.mustEndWith("b");
        trail.mustBe("a", "b");
        assertThat(trail.count("a")).isEqualTo(1);
    }

    @Test
    void waits_thatEndInVain_printTheTrail() {
        var trail = new Trail(Duration.ofMillis(20));
        trail.add("a");

        assertThatThrownBy(() -> trail.await("b"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("trail: waited 20 ms for the event 'b' but it is [a]");
        assertThatThrownBy(() -> trail.mustEndWith("b")).hasMessageContaining("to end with [b] but it is [a]");
        assertThatThrownBy(() -> trail.mustBe("a", "b")).hasMessageContaining("to be [a, b] but it is [a]");
        assertThatThrownBy(() -> trail.await("a", 2)).hasMessageContaining("'a' 2 times");
    }
}

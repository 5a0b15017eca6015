package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.testkit.ChildJvm.Signal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    /// Says that it is up, answers on both streams, exits with its argument, or runs for ever.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println("up");
            System.err.println("trouble");
            if (arguments.length > 0) {
                System.exit(Integer.parseInt(arguments[0]));
            }
            Thread.currentThread().join();
        }
    }

    @Test
    void exit_givesTheCodeAndAllLines() {
        try (var child = ChildJvm.start(Program.class, "42")) {
            assertThat(child.awaitExit()).isEqualTo(42);
            assertThat(child.lines()).contains("up", "err: trouble");
            assertThatThrownBy(() -> child.awaitLine("never"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("it ended without a line beginning with 'never'")
                    .hasMessageContaining("up");
        }
    }

    @Test
    void signals_reachIt() {
        try (var child = ChildJvm.start(Program.class)) {
            child.awaitLine("up");
            child.signal(Signal.STOP);
            assertThat(child.isAlive()).isTrue();
            child.signal(Signal.CONT);
            child.signal(Signal.TERM);
            assertThat(child.awaitExit()).isEqualTo(143);
        }
    }

    @Test
    void close_endsAFrozenChild() {
        ProcessHandle handle;
        try (var child = ChildJvm.start(Program.class)) {
            child.awaitLine("up");
            child.signal(Signal.STOP);
            handle = ProcessHandle.of(child.pid()).orElseThrow();
        }
        assertThat(handle.isAlive()).isFalse();
    }

    @Test
    void run_passesTheEnvironment() {
        try (var child = ChildJvm.run(List.of("sh", "-c", "echo is $GREETING"), Map.of("GREETING", "here"))) {
            assertThat(child.awaitExit()).isZero();
            assertThat(child.lines()).containsExactly("is here");
        }
    }
}

package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.ChildJvm;
import dev.tenure.testkit.LeakCheck;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Clients that take 10 KB/s of what a producer writes, in a JVM that has 64 MB of direct memory; see
/// [SlowReaders] for what it asserts.
@ExtendWith(LeakCheck.class)
class C083_BackPressureTest {
    @Test
    void slowReaders_holdTheirProducersUp_andAreEnded() {
        var limits = List.of("-XX:MaxDirectMemorySize=64m", "-Dio.netty.maxDirectMemory=" + (64 << 20));
        try (var child = ChildJvm.start(limits, SlowReaders.class)) {
            assertThat(child.awaitExit(Duration.ofSeconds(90))).isZero();
            assertThat(child.awaitLine("ended ")).isEqualTo("ended 20 of 20 producers");
        }
    }
}

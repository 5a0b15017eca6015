package dev.tenure.it.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.it.Counts;
import dev.tenure.testkit.FakePool;
import dev.tenure.testkit.FakeSocket;
import dev.tenure.testkit.Sweep;
import dev.tenure.testkit.World;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A sweep of 40 points over core and fakes: so many schedules in a second of processor time, compiler and collector
/// included. A soak asks for the figure of the design, a usual build for a fifth of it, since it may share its core.
class SweepSpeedTest {
    private static final int FIGURE = 20_000;
    private static final int ROUNDS = 12;
    private static final ResourceType<FakeSocket> SOCKET = ResourceType.of("socket", FakeSocket::close);
    private static final ResourceType<FakePool.Connection> CONNECTION =
            ResourceType.of("connection", FakePool.Connection::close);
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private static void request(World world) throws Exception {
        var pool = world.pool("pool", 1);
        try (var scope = Scope.open("request")) {
            var socket = scope.acquire(SOCKET, () -> world.socket("peer"));
            var query = scope.fork("query", () -> {
                var connection = Scope.current().acquire(CONNECTION, pool::lease);
                connection.get().execute("select");
                return 1;
            });
            query.get();
            socket.get().write(10);
        }
    }

    @Test
    void sweepOfFortyPoints_runsTwentyThousandSchedulesASecond() {
        double best = 0;
        int least = Counts.of(FIGURE / 5, FIGURE);
        for (int round = 0; round < ROUNDS && best < least; round++) {
            best = Math.max(best, schedulesASecond());
        }
        System.out.printf("%.0f schedules in a second of processor time%n", best);
        assertThat(best).isGreaterThan(least);
    }

    private static double schedulesASecond() {
        long before = SYSTEM.getProcessCpuTime();
        var report = Sweep.of("request", SweepSpeedTest::request)
                .schedules(200)
                .budget(Duration.ofMinutes(1))
                .run()
                .assertClean();
        assertThat(report.points()).hasSizeGreaterThanOrEqualTo(40);
        return report.runs() * 1e9 / (SYSTEM.getProcessCpuTime() - before);
    }
}

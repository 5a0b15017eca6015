package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// C132, core side: a handle closed by its user, its scope and a forced stop at once ends once, and counts stay true.
@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class C132_HandleEndsOnceTest extends CoreTest {
    private static final int ROUNDS = 500;

    @Test
    void userScopeAndForcedStop_inPairsAndAllThree_endItOnce() throws Exception {
        var permits = Permits.fair("leases", 2, 2);
        var releases = new AtomicInteger();
        var counted = ResourceType.<String>of("lease", _ -> releases.incrementAndGet());
        for (int round = 0; round < ROUNDS; round++) {
            boolean user = round % 4 != 1;
            boolean stop = round % 4 != 2;
            var barrier = new CyclicBarrier(1 + (user ? 1 : 0) + (stop ? 1 : 0));
            var scope = Scope.open("request");
            var lease = scope.own(counted, "x");
            var permit = permits.acquire(scope, Deadline.none());
            var byUser = user ? elsewhere(() -> closed(barrier, lease, permit)) : null;
            var byStop = stop ? elsewhere(() -> closed(barrier, permit, lease)) : null;
            barrier.await();
            scope.close();
            assertThat(releases).hasValue(round + 1);
            assertThat(permits.available()).isEqualTo(2);
            assertThatThrownBy(lease::get).isInstanceOf(StaleHandle.class).hasMessageContaining("lease");
            if (byUser != null) {
                result(byUser);
            }
            if (byStop != null) {
                result(byStop);
            }
            assertThat(permits.available()).isEqualTo(2);
        }
        assertThat(releases).hasValue(ROUNDS);
    }

    private static String closed(CyclicBarrier barrier, Owned<?> first, Owned<?> second) throws Exception {
        barrier.await();
        first.close();
        second.close();
        return "";
    }

    @Test
    void userClosesInItsOwnFinalizer_beforeTheScopeDoes_isANoOpForTheScope() {
        var releases = new AtomicInteger();
        var counted = ResourceType.<String>of("lease", _ -> releases.incrementAndGet());
        try (var scope = Scope.open("request")) {
            var lease = scope.own(counted, "x");
            scope.own(ResourceType.<String>of("user's finalizer", _ -> lease.close()), "y");
        }
        assertThat(releases).hasValue(1);
    }
}

package dev.tenure.db.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.db.internal.dialect.Fault;
import dev.tenure.testkit.FakeClock;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A cancel that comes while a call begins is never lost: either it finds the call, or the call finds it.
@Timeout(60)
class CancelAtTheBeginningTest {
    private static final int ROUNDS = 5000;

    private final FakeClock clock = new FakeClock();

    /// One call that runs until it is let go, and a cancel at the same time.
    private final class Round {
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch letGo = new CountDownLatch(1);
        final CountDownLatch born = new CountDownLatch(1);
        final AtomicInteger cancels = new AtomicInteger();
        volatile Calls calls;
        volatile boolean go;

        Boolean borrow(int spins) throws SQLException {
            calls = new Calls(new Refusing(), new Patience(Duration.ofSeconds(1), clock, clock));
            born.countDown();
            while (!go) {
                Thread.onSpinWait();
            }
            spin(spins);
            return calls.run("Statement.execute", statement(), () -> {
                inside.countDown();
                awaited(letGo);
                return true;
            });
        }

        private Statement statement() {
            return (Statement) Proxy.newProxyInstance(
                    Round.class.getClassLoader(), new Class<?>[] {Statement.class}, (_, method, _) -> {
                        cancels.addAndGet(method.getName().equals("cancel") ? 1 : 0);
                        return null;
                    });
        }
    }

    @Test
    void cancel_atTheBeginningOfACall_reachesIt() throws Exception {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        try (var threads = Executors.newSingleThreadExecutor()) {
            for (int number = 0; number < ROUNDS; number++) {
                var round = new Round();
                int late = random.nextInt(400);
                var call = threads.submit(() -> round.borrow(late));
                try {
                    awaited(round.born);
                    round.go = true;
                    spin(random.nextInt(400));
                    round.calls.cancel();
                    awaited(round.inside);
                    clock.advance(Duration.ofSeconds(1));
                    assertThat(round.cancels)
                            .as("seed %d, round %d", seed, number)
                            .hasPositiveValue();
                } finally {
                    round.letGo.countDown();
                }
                assertThat(call.get()).isTrue();
            }
        }
    }

    private static void spin(int times) {
        for (int spin = times; spin > 0; spin--) {
            Thread.onSpinWait();
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Refusing implements Refusals {
        @Override
        public RuntimeException escaped(String call) {
            return new IllegalStateException(call);
        }

        @Override
        public RuntimeException wrongThread(String call) {
            return new IllegalStateException(call);
        }

        @Override
        public RuntimeException refused(String call, String instead) {
            return new IllegalStateException(call);
        }

        @Override
        public RuntimeException cancelled(String call) {
            return new IllegalStateException(call);
        }

        @Override
        public RuntimeException unavailable(Fault fault, SQLException error) {
            return new IllegalStateException(error);
        }

        @Override
        public void notCancelled(String call, Optional<Exception> failure) {
            throw new IllegalStateException(call);
        }

        @Override
        public void notLentAgain(SQLException why) {
            throw new IllegalStateException(why);
        }
    }
}

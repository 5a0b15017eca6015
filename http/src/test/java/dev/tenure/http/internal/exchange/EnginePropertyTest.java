package dev.tenure.http.internal.exchange;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.internal.exchange.Event.Flow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Random events in random fragments: whatever happens, one exchange at a time, each handler started is retired once,
/// no word follows the end, and every connection ends.
class EnginePropertyTest {
    private static final int RUNS = 3_000;
    private static final List<String> REQUESTS = List.of(
            "GET /a HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /reply HTTP/1.1\r\nHost: h\r\n\r\n",
            "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /continue HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
            "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
            "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
            "GET /a HTTP/1.1\r\n\r\n");

    @Test
    void randomEvents_keepTheEnginesPromises() {
        for (int seed = 0; seed < RUNS; seed++) {
            new Run(seed).play();
        }
    }

    private static final class Run {
        private final String seed;
        private final SplittableRandom random;
        private final EngineRig rig;
        private final List<String> all = new ArrayList<>();
        private int dispatched;
        private int ended;
        private byte[] input = {};
        private int at;

        Run(int seed) {
            this.seed = "seed " + seed;
            this.random = new SplittableRandom(seed);
            this.rig = new EngineRig(random.nextBoolean());
        }

        void play() {
            for (int i = 0; i < 60; i++) {
                step(random.nextInt(24));
                look();
            }
            rig.stalled(false).on(new Event.Disposed());
            look();
            if (ended < dispatched) {
                rig.ended(++ended);
            }
            look();
            check();
        }

        private void step(int kind) {
            switch (kind) {
                case 0, 1, 2, 3, 4, 5, 6, 7 -> receive();
                case 8, 9 -> rig.answer(dispatched, "answer");
                case 10, 11 -> end();
                case 12 -> rig.begin(dispatched, random.nextBoolean() ? -1 : 6, Flow.STREAM);
                case 13 -> rig.begin(dispatched, -1, Flow.EVENTS);
                case 14 -> rig.piece(dispatched, "piece");
                case 15 -> rig.finish(dispatched);
                case 16 -> rig.on(new Event.BodyWanted(dispatched));
                case 17 -> rig.on(new Event.BodyTaken(dispatched, 1));
                case 18, 19 -> rig.pass(Duration.ofMillis(random.nextInt(20_000)));
                case 20 -> rig.stalled(random.nextBoolean());
                case 21 -> rare(random.nextInt(5));
                default -> rig.answer(dispatched - 1, "stale").ended(dispatched - 1);
            }
        }

        private void rare(int kind) {
            rig.on(
                    switch (kind) {
                        case 0 -> new Event.PeerFin();
                        case 1 -> new Event.PeerReset();
                        case 2, 3 -> new Event.DrainBegun();
                        default -> new Event.Forced();
                    });
        }

        private void receive() {
            if (at == input.length) {
                input = REQUESTS.get(random.nextInt(REQUESTS.size())).getBytes(ISO_8859_1);
                at = 0;
            }
            int to = Math.min(input.length, at + 1 + random.nextInt(input.length));
            rig.receive(java.util.Arrays.copyOfRange(input, at, to), Integer.MAX_VALUE);
            at = to;
        }

        private void end() {
            if (ended < dispatched) {
                ended = dispatched;
                rig.ended(dispatched);
            }
        }

        private void look() {
            for (String word : rig.words()) {
                if (word.startsWith("dispatch ")) {
                    assertThat(ended).as("%s: one at a time in %s", seed, all).isEqualTo(dispatched);
                    dispatched = Integer.parseInt(word.substring(9));
                    ended = dispatched - 1;
                }
                all.add(word);
            }
        }

        private void check() {
            assertThat(rig.isOver()).as("%s: over after %s", seed, all).isTrue();
            assertThat(count("retired")).as("%s: %s", seed, all).isEqualTo(count("dispatch"));
            assertThat(count("close") + count("abort"))
                    .as("%s: one end in %s", seed, all)
                    .isOne();
            int end = Math.max(all.indexOf("close"), all.indexOf("abort"));
            assertThat(all.subList(end + 1, all.size()))
                    .as("%s: nothing but the retirement after the end of %s", seed, all)
                    .allMatch(word -> word.startsWith("retired"));
            assertThat(rig.next()).as("%s: no clock runs on", seed).isEqualTo("never");
        }

        private long count(String start) {
            return all.stream()
                    .filter(Objects::nonNull)
                    .filter(word -> word.equals(start) || word.startsWith(start + " "))
                    .count();
        }
    }
}

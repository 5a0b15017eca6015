package dev.tenure.http.internal.exchange;

import static dev.tenure.http.internal.exchange.EngineRig.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.internal.exchange.Event.Flow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Each clock of design 5, to the nanosecond.
class EngineDeadlineTest {
    private static final Duration ALMOST = Duration.ofNanos(-1);
    private final EngineRig rig = new EngineRig();

    private EngineRig almost(long seconds) {
        return rig.pass(Duration.ofSeconds(seconds).plus(ALMOST));
    }

    private EngineRig tick() {
        return rig.pass(Duration.ofNanos(1));
    }

    private static String post(String fields) {
        return "POST /a HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n\r\n";
    }

    @Test
    void header_10s_isAbsoluteWhateverTrickles() {
        for (int i = 0; i < 9; i++) {
            rig.receive("GET /a HTTP/1.1\r\nHost: h\r\nX: ".substring(i, i + 1)).pass(Duration.ofSeconds(1));
        }
        rig.pass(Duration.ofSeconds(1).plus(ALMOST));
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("refused 408", "408 closing", "fin");
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.words()).containsExactly("close");
    }

    @Test
    void header_10s_ofAConnectionThatSaysNothing_closesSilently() {
        almost(10);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("close");
        assertThat(rig.wire()).isEmpty();
    }

    @Test
    void header_10s_ofALaterHead_runsFromItsFirstByte() {
        rig.receive(GET).answerAndEnd(1, "a").pass(Duration.ofSeconds(40)).receive("G");
        rig.words();
        almost(10);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).startsWith("refused 408");
    }

    @Test
    void keepAlive_75s_closesWhatIsIdle() {
        rig.receive(GET).answerAndEnd(1, "a");
        rig.words();
        assertThat(rig.next()).isEqualTo("75.0");
        almost(75);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("close");
    }

    @Test
    void bodyIdle_30s_isSetBackByEachByteAndCancels() {
        rig.receive(post("Content-Length: 10"));
        rig.words();
        almost(30);
        rig.receive("a");
        almost(30);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("refused 408", "cancel BODY_IDLE", "body GONE", "408 closing", "fin");
    }

    @Test
    void bodyIdle_30s_is408() {
        rig.receive(post("Content-Length: 10")).pass(Duration.ofSeconds(1)).receive("a");
        rig.words();
        almost(30);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("refused 408", "cancel BODY_IDLE", "body GONE", "408 closing", "fin");
        rig.ended(1);
        assertThat(rig.words()).containsExactly("retired CANCELLED");
    }

    @Test
    void bodyIdle_pausesWhileTheHandlerHoldsTheClientUp() {
        rig.receive(post("Content-Length: 100000") + "x".repeat(65_536));
        rig.words();
        almost(60);
        assertThat(rig.words()).isEmpty();
        rig.on(new Event.BodyTaken(1, 65_536));
        assertThat(rig.words()).containsExactly("start reading");
        assertThat(rig.next()).isEqualTo("0.0");
    }

    @Test
    void bodyIdle_doesNotRunWhileTheClientWaitsFor100() {
        rig.receive(post("Content-Length: 10\r\nExpect: 100-continue"));
        assertThat(rig.next()).isEqualTo("60.0");
        rig.on(new Event.BodyWanted(1));
        assertThat(rig.next()).isEqualTo("30.0");
    }

    @Test
    void bodyIdle_ofARestNobodyReads_endsTheConnection() {
        rig.receive(post("Content-Length: 10")).answerAndEnd(1, "early");
        rig.words();
        almost(30);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("retired COMPLETED", "fin");
    }

    @Test
    void exchange_60s_is504AndTheHandlersAnswerIsDropped() {
        rig.receive(GET);
        rig.words();
        almost(60);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("refused 504", "cancel EXCHANGE_DEADLINE", "504 closing", "fin");
        rig.answerAndEnd(1, "late");
        assertThat(rig.words()).containsExactly("retired CANCELLED_LATE", "close");
    }

    @Test
    void exchange_60s_doesNotRunForStreamsAndEvents() {
        rig.receive(GET).begin(1, -1, Flow.STREAM);
        assertThat(rig.next()).isEqualTo("never");
        rig.finish(1).ended(1).receive(GET).begin(2, -1, Flow.EVENTS);
        assertThat(rig.next()).isEqualTo("15.0");
    }

    @Test
    void heartbeat_15s_isACommentBetweenEvents() {
        rig.receive(GET).begin(1, -1, Flow.EVENTS);
        rig.wire();
        almost(15);
        assertThat(rig.wire()).isEmpty();
        tick();
        assertThat(rig.wire()).isEqualTo("3\r\n:\n\n\r\n");
        rig.pass(Duration.ofSeconds(10)).piece(1, "data: 1\n\n");
        rig.wire();
        almost(15);
        assertThat(rig.wire()).isEmpty();
    }

    @Test
    void writeIdle_30s_isSetBackByProgressAndAborts() {
        rig.receive(GET).begin(1, -1, Flow.STREAM).stalled(true).piece(1, "abc");
        rig.words();
        almost(30);
        rig.on(new Event.OutputProgressed(EngineRig.WRITE_MIN));
        almost(30);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("cancel WRITE_IDLE", "abort");
        rig.ended(1);
        assertThat(rig.words()).containsExactly("retired CANCELLED");
    }

    @Test
    void writeIdle_30s_isSetBackByEnoughInSeveralSteps() {
        rig.receive(GET).begin(1, -1, Flow.STREAM).stalled(true).piece(1, "abc");
        rig.words();
        rig.pass(Duration.ofSeconds(10)).on(new Event.OutputProgressed(EngineRig.WRITE_MIN - 1));
        rig.pass(Duration.ofSeconds(10)).on(new Event.OutputProgressed(1));
        almost(30);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("cancel WRITE_IDLE", "abort");
    }

    @Test
    void writeIdle_30s_isNotSetBackByATrickle() {
        rig.receive(GET).begin(1, -1, Flow.STREAM).stalled(true).piece(1, "abc");
        rig.words();
        almost(30);
        rig.on(new Event.OutputProgressed(EngineRig.WRITE_MIN - 1));
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("cancel WRITE_IDLE", "abort");
    }

    @Test
    void writeIdle_30s_countsNothingThatWasTakenBeforeItWaited() {
        rig.receive(GET).begin(1, -1, Flow.STREAM).stalled(true).piece(1, "abc");
        rig.on(new Event.OutputProgressed(EngineRig.WRITE_MIN - 1)).on(new Event.OutputDrained());
        rig.pass(Duration.ofSeconds(20)).piece(1, "def");
        rig.words();
        almost(30);
        rig.on(new Event.OutputProgressed(1));
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("cancel WRITE_IDLE", "abort");
    }

    @Test
    void linger_2s_isExact() {
        rig.receive("GET /a HTTP/1.1\r\n\r\n");
        assertThat(rig.words()).containsExactly("refused 400", "400 closing", "fin");
        almost(2);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("close");
    }

    @Test
    void linger_50ms_whileDraining() {
        rig.on(new Event.DrainBegun()).receive("GET /a HTTP/1.1\r\n\r\n");
        assertThat(rig.words()).containsExactly("refused 400", "400 closing", "fin");
        rig.pass(Duration.ofMillis(50).plus(ALMOST));
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("close");
    }

    @Test
    void linger_thatBeganBeforeTheDrain_isCutToTheSame() {
        rig.receive("GET /a HTTP/1.1\r\n\r\n").pass(Duration.ofSeconds(1)).on(new Event.DrainBegun());
        rig.words();
        rig.pass(Duration.ofMillis(50).plus(ALMOST));
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("close");
    }

    @Test
    void writeIdle_30s_isNotSetBackByTheHandlersOwnWrites() {
        rig.receive(GET).begin(1, -1, Flow.EVENTS).stalled(true).piece(1, "abc");
        rig.pass(Duration.ofSeconds(20)).piece(1, "def");
        rig.words();
        rig.pass(Duration.ofSeconds(10));
        assertThat(rig.words()).containsExactly("cancel WRITE_IDLE", "abort");
    }

    @Test
    void writeIdle_30s_holdsForAWholeAnswerToo() {
        rig.stalled(true).receive(GET).answerAndEnd(1, "hello");
        rig.words();
        almost(30);
        assertThat(rig.words()).isEmpty();
        tick();
        assertThat(rig.words()).containsExactly("abort", "retired COMPLETED");
    }

    @Test
    void afterTheEnd_noClockRuns() {
        rig.receive(GET).on(new Event.Disposed());
        assertThat(rig.next()).isEqualTo("never");
    }
}

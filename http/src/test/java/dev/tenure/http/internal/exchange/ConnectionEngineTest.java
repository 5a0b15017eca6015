package dev.tenure.http.internal.exchange;

import static dev.tenure.http.internal.exchange.EngineRig.GET;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.internal.exchange.Event.Flow;
import dev.tenure.http.internal.wire.ResponseHead;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionEngineTest {
    private static final Event FIN = new Event.PeerFin();
    private static final Event RESET = new Event.PeerReset();
    private static final Event DRAIN = new Event.DrainBegun();
    private static final Event FORCE = new Event.Forced();
    private static final Event DISPOSE = new Event.Disposed();

    private EngineRig rig = new EngineRig();

    private static String post(String fields, String body) {
        return "POST /a HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n\r\n" + body;
    }

    @Test
    void request_answeredAndEnded_keepsTheConnection() {
        rig.receive(GET);
        assertThat(rig.words()).containsExactly("dispatch 1", "body end");
        rig.answerAndEnd(1, "hello");
        assertThat(rig.words()).containsExactly("200", "retired COMPLETED");
        assertThat(rig.wire()).isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        rig.receive(GET);
        assertThat(rig.words()).containsExactly("dispatch 2", "body end");
    }

    @Test
    void pipelined_waitForTheirTurn() {
        rig.receive(GET + GET + "GET /reply HTTP/1.1\r\nHost: h\r\n\r\n" + GET);
        assertThat(rig.words()).containsExactly("dispatch 1", "body end");
        rig.answer(1, "a");
        assertThat(rig.words()).containsExactly("200");
        rig.ended(1);
        assertThat(rig.words()).containsExactly("retired COMPLETED", "dispatch 2", "body end");
        rig.answerAndEnd(2, "b");
        assertThat(rig.words()).containsExactly("200", "retired COMPLETED", "200", "dispatch 4", "body end");
    }

    @Test
    void answer_ofAnEarlierExchange_isIgnored() {
        rig.receive(GET).answerAndEnd(1, "a").receive(GET);
        rig.words();
        rig.answerAndEnd(1, "late").begin(1, 3, Flow.STREAM).piece(1, "abc").finish(1);
        assertThat(rig.words()).isEmpty();
    }

    @Test
    void connectionClose_isHonoured() {
        rig.receive("GET /a HTTP/1.1\r\nHost: h\r\nConnection: x, Close\r\n\r\n")
                .answerAndEnd(1, "a");
        assertThat(rig.words()).containsExactly("dispatch 1", "body end", "200 closing", "retired COMPLETED", "close");
        assertThat(rig.isOver()).isTrue();
    }

    @Test
    void http10_isClosedUnlessItAsks() {
        rig.receive("GET /a HTTP/1.0\r\n\r\n").answerAndEnd(1, "a");
        assertThat(rig.words()).endsWith("200 closing", "retired COMPLETED", "close");
        rig = new EngineRig();
        rig.receive("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").answerAndEnd(1, "a");
        assertThat(rig.wire()).contains("Connection: keep-alive\r\n");
        rig = new EngineRig();
        rig.receive("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").begin(1, -1, Flow.STREAM);
        rig.piece(1, "abc").finish(1).ended(1);
        assertThat(rig.wire()).isEqualTo("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc");
        assertThat(rig.words()).endsWith("close");
    }

    @Test
    void head_neverGetsABody() {
        rig.receive("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n").answerAndEnd(1, "hello");
        assertThat(rig.wire()).isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    }

    // ---- bodies ----

    @Test
    void body_anyFragments_areTheSame() {
        byte[] text = (post("Transfer-Encoding: chunked", "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n") + GET)
                .getBytes(ISO_8859_1);
        for (int fragment = 1; fragment <= text.length; fragment++) {
            rig = new EngineRig();
            rig.receive(text, fragment);
            assertThat(rig.body()).as("fragments of %d", fragment).isEqualTo("hello world");
            assertThat(rig.words()).as("fragments of %d", fragment).containsExactly("dispatch 1", "body end");
            rig.answerAndEnd(1, "a");
            assertThat(rig.words()).containsExactly("200", "retired COMPLETED", "dispatch 2", "body end");
        }
    }

    @Test
    void body_announcedTooLarge_isRefusedBeforeAnyHandler() {
        rig.receive(post("Content-Length: 1048577", "abc"));
        assertThat(rig.words()).containsExactly("refused 413", "413 closing", "fin");
        rig.receive("more");
        rig.on(FIN);
        assertThat(rig.words()).containsExactly("close");
    }

    @Test
    void body_grownTooLarge_isToldToItsReader() {
        rig.receive(post("Transfer-Encoding: chunked", "100001\r\n" + "x".repeat(1_048_577)));
        assertThat(rig.words()).contains("dispatch 1", "body TOO_LARGE");
        rig.on(new Event.Answered(1, new ResponseHead(413, new String[0], 0), Piece.empty()))
                .ended(1);
        assertThat(rig.words()).containsExactly("413 closing", "fin", "retired COMPLETED");
    }

    @Test
    void body_malformed_is400AndCancels() {
        rig.receive(post("Transfer-Encoding: chunked", "5 \r\nhello\r\n0\r\n\r\n") + GET);
        assertThat(rig.words())
                .containsExactly(
                        "dispatch 1", "refused 400", "cancel PEER_FAULT", "body MALFORMED", "400 closing", "fin");
        rig.answerAndEnd(1, "too late");
        assertThat(rig.words()).containsExactly("retired CANCELLED_LATE");
    }

    @Test
    void body_notTakenByItsReader_holdsTheClientUp() {
        rig.receive(post("Content-Length: 1000000", "x".repeat(65_535)));
        assertThat(rig.words()).containsExactly("dispatch 1");
        rig.receive("x");
        assertThat(rig.words()).containsExactly("stop reading");
        rig.on(new Event.BodyTaken(1, 30_000));
        assertThat(rig.words()).isEmpty();
        rig.on(new Event.BodyTaken(1, 10_000));
        assertThat(rig.words()).containsExactly("start reading");
    }

    @Test
    void body_smallRestUnread_isDroppedAndTheConnectionKept() {
        rig.receive(post("Content-Length: 10", "abc")).answerAndEnd(1, "early");
        assertThat(rig.words()).containsExactly("dispatch 1", "200");
        rig.receive("defghij" + GET);
        assertThat(rig.words()).containsExactly("retired COMPLETED", "dispatch 2", "body end");
        assertThat(rig.body()).isEqualTo("abc");
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 70000", "Transfer-Encoding: chunked"})
    void body_largeOrUnknownRestUnread_endsTheConnectionWithLinger(String framing) {
        rig.receive(post(framing, "")).answerAndEnd(1, "early");
        assertThat(rig.words()).containsExactly("dispatch 1", "200 closing", "retired COMPLETED", "fin");
        assertThat(rig.next()).isEqualTo("2.0");
        rig.receive("x".repeat(70_000) + GET);
        assertThat(rig.words()).isEmpty();
        rig.pass(java.time.Duration.ofSeconds(2));
        assertThat(rig.words()).containsExactly("close");
    }

    // ---- 100-continue ----

    @Test
    void continue_isSentOnFirstReadAlone() {
        rig.receive(post("Content-Length: 3\r\nExpect: 100-continue", ""));
        assertThat(rig.wire()).isEmpty();
        rig.on(new Event.BodyWanted(1)).on(new Event.BodyWanted(1));
        assertThat(rig.wire()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
        rig.receive("abc").answerAndEnd(1, "ok");
        assertThat(rig.words()).containsExactly("dispatch 1", "body end", "200", "retired COMPLETED");
    }

    @Test
    void continue_isNotSentWhenTheBodyComesAnyway() {
        rig.receive(post("Content-Length: 3\r\nExpect: 100-continue", "a")).on(new Event.BodyWanted(1));
        assertThat(rig.wire()).isEmpty();
    }

    @Test
    void continue_refusedByAFinalStatus_endsTheConnection() {
        rig.receive(post("Content-Length: 3\r\nExpect: 100-continue", "")).answerAndEnd(1, "no");
        assertThat(rig.words()).containsExactly("dispatch 1", "200 closing", "retired COMPLETED", "fin");
        rig.receive(GET);
        assertThat(rig.words()).isEmpty();
    }

    @Test
    void continue_wantedAfterTheAnswerBegan_isNeverSent() {
        rig.receive(post("Content-Length: 3\r\nExpect: 100-continue", "")).begin(1, -1, Flow.STREAM);
        rig.on(new Event.BodyWanted(1)).finish(1).ended(1);
        assertThat(rig.words())
                .containsExactly("dispatch 1", "200 closing", "body NOT_ASKED", "fin", "retired COMPLETED");
        assertThat(rig.wire()).doesNotContain("100 Continue");
    }

    // ---- streams ----

    @Test
    void stream_isChunked() {
        rig.receive(GET)
                .begin(1, -1, Flow.STREAM)
                .piece(1, "abc")
                .piece(1, "")
                .piece(1, "de")
                .finish(1)
                .ended(1);
        assertThat(rig.wire())
                .isEqualTo("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
        assertThat(rig.words()).containsExactly("dispatch 1", "body end", "200", "retired COMPLETED");
    }

    @Test
    void stream_shorterOrLongerThanAnnounced_isBrokenOff() {
        rig.receive(GET).begin(1, 5, Flow.STREAM).piece(1, "abc").finish(1);
        assertThat(rig.words()).endsWith("200", "abort");
        rig.ended(1);
        assertThat(rig.words()).containsExactly("retired COMPLETED");
        rig = new EngineRig();
        rig.receive(GET).begin(1, 5, Flow.STREAM).piece(1, "abcdef");
        assertThat(rig.words()).endsWith("200", "abort");
        assertThat(rig.wire()).doesNotContain("abcdef");
    }

    @Test
    void stream_thatFails_isBrokenOff() {
        rig.receive(GET)
                .begin(1, -1, Flow.STREAM)
                .piece(1, "abc")
                .on(new Event.AnswerFailed(1))
                .ended(1);
        assertThat(rig.words()).endsWith("200", "abort", "retired COMPLETED");
        assertThat(rig.wire()).doesNotEndWith("0\r\n\r\n");
    }

    @Test
    void handler_endedWithoutAnAnswer_is500() {
        rig.receive(GET).ended(1);
        assertThat(rig.words())
                .containsExactly("dispatch 1", "body end", "refused 500", "500 closing", "retired COMPLETED", "close");
    }

    // ---- the peer goes ----

    @Test
    void reset_duringAHandler_cancelsItAndWritesNothing() {
        rig.receive(GET).on(RESET);
        assertThat(rig.words()).containsExactly("dispatch 1", "body end", "cancel PEER_GONE");
        rig.answer(1, "nobody");
        assertThat(rig.wire()).isEmpty();
        rig.ended(1);
        assertThat(rig.words()).containsExactly("retired CANCELLED_LATE", "close");
    }

    @Test
    void fin_isAResetByDefault() {
        rig.receive(GET).on(FIN).ended(1);
        assertThat(rig.words())
                .containsExactly("dispatch 1", "body end", "cancel PEER_GONE", "retired CANCELLED", "close");
    }

    @Test
    void fin_halfClosed_isAnsweredThenClosed() {
        rig = new EngineRig(false);
        rig.receive(GET).on(FIN).answerAndEnd(1, "ok");
        assertThat(rig.words()).containsExactly("dispatch 1", "body end", "200 closing", "retired COMPLETED", "close");
        rig = new EngineRig(false);
        rig.receive(post("Content-Length: 3", "a")).on(FIN);
        assertThat(rig.words()).containsExactly("dispatch 1", "cancel PEER_GONE", "body GONE");
    }

    @Test
    void fin_onARouteThatContinues_letsItEnd() {
        rig.receive("GET /continue HTTP/1.1\r\nHost: h\r\n\r\n").on(RESET);
        assertThat(rig.words()).containsExactly("dispatch 1", "body end");
        rig.answerAndEnd(1, "nobody");
        assertThat(rig.words()).containsExactly("retired COMPLETED", "close");
        assertThat(rig.wire()).isEmpty();
    }

    @Test
    void fin_whenIdle_closes() {
        rig.on(FIN);
        assertThat(rig.words()).containsExactly("close");
        assertThat(rig.isOver()).isTrue();
    }

    // ---- the stop ----

    @Test
    void stop_announced_everyAnswerCloses() {
        rig.receive(GET).announced().answerAndEnd(1, "a");
        assertThat(rig.words()).containsExactly("dispatch 1", "body end", "200 closing", "retired COMPLETED", "close");
    }

    @Test
    void drain_idleForLonger_closesAtOnce() {
        rig.receive(GET)
                .answerAndEnd(1, "a")
                .pass(java.time.Duration.ofMillis(1_001))
                .on(DRAIN);
        assertThat(rig.words()).endsWith("close");
    }

    @Test
    void drain_activeWithinTheSecond_mayAskOnceMore() {
        rig.receive(GET)
                .answerAndEnd(1, "a")
                .pass(java.time.Duration.ofMillis(400))
                .on(DRAIN);
        assertThat(rig.words()).endsWith("retired COMPLETED");
        assertThat(rig.next()).isEqualTo("0.6");
        rig.pass(java.time.Duration.ofMillis(300)).receive(GET);
        assertThat(rig.words()).containsExactly("dispatch 2", "body end");
        rig.pass(java.time.Duration.ofSeconds(5)).answerAndEnd(2, "b");
        assertThat(rig.words()).containsExactly("200 closing", "retired COMPLETED", "close");
        rig = new EngineRig();
        rig.receive(GET).answerAndEnd(1, "a").on(DRAIN).pass(java.time.Duration.ofSeconds(1));
        assertThat(rig.words()).endsWith("close");
    }

    @Test
    void drain_whatLingers_getsLessTime() {
        rig.receive(post("Content-Length: 70000", "")).answerAndEnd(1, "early");
        assertThat(rig.next()).isEqualTo("2.0");
        rig.on(DRAIN);
        assertThat(rig.next()).isEqualTo("0.1");
        rig = new EngineRig();
        rig.receive(post("Content-Length: 70000", "")).on(DRAIN).answerAndEnd(1, "early");
        assertThat(rig.next()).isEqualTo("0.1");
    }

    @Test
    void drain_eventStream_getsALastEventAndEnds() {
        rig.receive(GET).begin(1, -1, Flow.EVENTS).piece(1, "data: 1\n\n");
        rig.wire();
        rig.words();
        rig.on(DRAIN);
        assertThat(rig.wire()).isEqualTo("1a\r\nevent: draining\ndata: {}\n\n\r\n0\r\n\r\n");
        assertThat(rig.words()).containsExactly("cancel DRAINED", "fin");
        rig.piece(1, "late").ended(1);
        assertThat(rig.wire()).isEmpty();
        assertThat(rig.words()).containsExactly("retired COMPLETED", "close");
    }

    @Test
    void drain_eventStreamThatBegins_endsAtOnce() {
        rig.receive(GET).on(DRAIN).begin(1, -1, Flow.EVENTS);
        assertThat(rig.wire()).contains("Connection: close").endsWith("event: draining\ndata: {}\n\n\r\n0\r\n\r\n");
    }

    @Test
    void force_cancelsAndAnswers503_andNoLateSuccessGoesOut() {
        rig.receive(GET).on(FORCE);
        assertThat(rig.words())
                .containsExactly("dispatch 1", "body end", "refused 503", "cancel STOP", "503 closing", "fin");
        rig.wire();
        rig.answerAndEnd(1, "success");
        assertThat(rig.wire()).isEmpty();
        assertThat(rig.words()).containsExactly("retired CANCELLED_LATE", "close");
    }

    @Test
    void force_afterTheHeadIsOut_breaksOff() {
        rig.receive(GET).begin(1, -1, Flow.STREAM).on(FORCE);
        assertThat(rig.words()).endsWith("cancel STOP", "abort");
        rig.finish(1).ended(1);
        assertThat(rig.words()).containsExactly("retired CANCELLED");
    }

    @Test
    void dispose_closesWhateverRuns() {
        rig.receive(GET).on(DISPOSE);
        assertThat(rig.words()).endsWith("cancel STOP", "503 closing", "close");
        assertThat(rig.isOver()).isFalse();
        rig.ended(1);
        assertThat(rig.words()).containsExactly("retired CANCELLED");
        assertThat(rig.isOver()).isTrue();
    }
}

package dev.tenure.http.internal.netty;

import dev.tenure.http.internal.exchange.Action.BodyFault;
import dev.tenure.http.internal.exchange.Action.Cause;
import dev.tenure.http.internal.exchange.Event;
import dev.tenure.http.internal.exchange.Event.Flow;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.flow.BodyPipe;
import dev.tenure.http.internal.flow.ExchangePort;
import dev.tenure.http.internal.flow.OutputGate;
import dev.tenure.http.internal.wire.RequestHead;
import dev.tenure.http.internal.wire.ResponseHead;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One exchange between its handler's thread and its connection's event loop.
///
/// **Owner:** the connection. **Threads:** as each group of fields says; what goes to the engine goes through the
/// loop, in order. A whole answer and the end of its task go in one step.
final class NettyExchange implements ExchangePort, Runnable {
    /// Bytes that a handler has read are reported in portions of at least this.
    private static final int REPORT_BYTES = 16_384;

    private final NettyConnection connection;
    private final int number;
    private final boolean asksForBody;
    private final @Nullable BodyPipe pipe;

    // Confined to the loop.
    private Consumer<Cause> cancel = _ -> {};
    private boolean started;

    // Written by the handler's thread before it hands over, read by the loop after.
    private @Nullable ResponseHead head;
    private Piece body = Piece.empty();

    // Confined to the handler's thread.
    private boolean wanted;
    private int unreported;

    private volatile @Nullable OutputGate gate;
    private volatile boolean cut;

    NettyExchange(NettyConnection connection, int number, RequestHead request) {
        this.connection = connection;
        this.number = number;
        this.asksForBody = request.expectsContinue();
        this.pipe = request.contentLength() == 0 ? null : new BodyPipe();
    }

    int number() {
        return number;
    }

    // ---- the loop's side ----

    void startedWith(Consumer<Cause> canceller) {
        cancel = canceller;
        started = true;
    }

    /// Whether it has a handler: one that was refused by a sealed owner has not.
    boolean isStarted() {
        return started;
    }

    void cancel(Cause why) {
        cancel.accept(why);
        cut();
        if (pipe != null) {
            pipe.fail(BodyFault.GONE);
        }
    }

    /// Nobody takes more of the answer.
    void cut() {
        cut = true;
        OutputGate open = gate;
        if (open != null) {
            open.close();
        }
    }

    void give(byte[] piece) {
        if (pipe != null) {
            pipe.give(piece);
        }
    }

    void bodyEnded() {
        if (pipe != null) {
            pipe.end();
        }
    }

    void bodyFailed(BodyFault why) {
        if (pipe != null) {
            pipe.fail(why);
        }
    }

    boolean isStreaming() {
        return gate != null;
    }

    void left(int bytes) {
        OutputGate open = gate;
        if (open != null) {
            open.leave(bytes);
        }
    }

    /// The whole answer and the end of the task.
    @Override
    public void run() {
        ResponseHead whole = head;
        if (whole != null) {
            connection.pumpBoth(new Event.Answered(number, whole, body), new Event.HandlerEnded(number));
        }
    }

    private void pumpPiece(Piece piece) {
        if (!connection.pumpPiece(new Event.AnswerBytes(number, piece))) {
            cut();
        }
    }

    // ---- the handler's side ----

    private void hand(Event event) {
        submit(() -> connection.pump(event));
    }

    private boolean submit(Runnable step) {
        try {
            connection.loop().execute(step);
            return true;
        } catch (RejectedExecutionException _) {
            cut();
            return false;
        }
    }

    @Override
    public BodyPipe.Read read(byte[] into, int from, int length) throws InterruptedException {
        if (pipe == null) {
            return new BodyPipe.Read.End();
        }
        if (!wanted) {
            wanted = true;
            if (asksForBody) {
                hand(new Event.BodyWanted(number));
            }
        }
        BodyPipe.Read read = pipe.read(into, from, length);
        if (read instanceof BodyPipe.Read.Bytes bytes) {
            unreported += bytes.count();
            if (unreported >= REPORT_BYTES) {
                hand(new Event.BodyTaken(number, unreported));
                unreported = 0;
            }
        }
        return read;
    }

    @Override
    public void answer(ResponseHead whole, Piece bytes) {
        hand(new Event.Answered(number, whole, bytes));
    }

    @Override
    public void answerAndEnd(ResponseHead whole, Piece bytes) {
        head = whole;
        body = bytes;
        if (!submit(this)) {
            connection.endedAfterLoop();
        }
    }

    @Override
    public void begin(ResponseHead first, Flow flow) {
        gate = new OutputGate();
        if (cut) {
            cut();
        }
        hand(new Event.AnswerBegun(number, first, flow));
    }

    @Override
    public boolean write(Piece piece) throws InterruptedException {
        OutputGate open = gate;
        if (open == null) {
            throw new IllegalStateException("a piece of an answer was written before its head");
        }
        return open.enter(piece.length()) && submit(() -> pumpPiece(piece));
    }

    @Override
    public void finish() {
        hand(new Event.AnswerEnded(number));
    }

    @Override
    public void fail() {
        hand(new Event.AnswerFailed(number));
    }

    @Override
    public void ended() {
        if (!submit(() -> connection.pump(new Event.HandlerEnded(number)))) {
            connection.endedAfterLoop();
        }
    }

    @Override
    public Optional<InetSocketAddress> peer() {
        return connection.peer();
    }

    @Override
    public boolean stopping() {
        return connection.isStopping();
    }
}

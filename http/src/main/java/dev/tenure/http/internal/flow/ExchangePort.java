package dev.tenure.http.internal.flow;

import dev.tenure.http.internal.exchange.Event.Flow;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.wire.ResponseHead;
import java.net.InetSocketAddress;
import java.util.Optional;

/// What a handler's thread may do with its exchange. Nothing here says whether the client got it; once the exchange
/// is cancelled or the client gone, what is given is dropped.
///
/// **Owner:** the connection. **Ends:** by one of [#ended()] and [#answerAndEnd]. **Threads:** the handler's, but for
/// [#stopping()].
public interface ExchangePort {
    /// Reads from the request body; the first read asks the client for it.
    ///
    /// @param into takes the bytes
    /// @param from where
    /// @param length at most so many; at least 1
    /// @return what came
    /// @throws InterruptedException while it waited
    BodyPipe.Read read(byte[] into, int from, int length) throws InterruptedException;

    /// Gives the whole answer; the task goes on.
    ///
    /// @param head the head
    /// @param body given away
    void answer(ResponseHead head, Piece body);

    /// Gives the whole answer, and says that the task is over: one step.
    ///
    /// @param head the head
    /// @param body given away
    void answerAndEnd(ResponseHead head, Piece body);

    /// Begins an answer of several pieces.
    ///
    /// @param head the head
    /// @param flow what follows
    void begin(ResponseHead head, Flow flow);

    /// Gives a piece, and waits while too much is on its way.
    ///
    /// @param piece given away
    /// @return false if nobody takes it any more
    /// @throws InterruptedException while it waited
    boolean write(Piece piece) throws InterruptedException;

    /// Completes an answer of several pieces.
    void finish();

    /// Gives an answer of several pieces up.
    void fail();

    /// The task is over.
    void ended();

    /// The other end of the connection.
    ///
    /// @return empty if it had gone before its address was read
    Optional<InetSocketAddress> peer();

    /// Whether a stop was announced.
    ///
    /// @return true for good
    boolean stopping();
}

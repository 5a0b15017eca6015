package dev.tenure.http;

import dev.tenure.core.Deadline;
import dev.tenure.core.ExecutionCancellation;
import dev.tenure.core.Scope;
import dev.tenure.host.Activity;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/// One request and what is known of it.
///
/// **Owner:** the connection. **Ends:** when the answer is with the transport and the handler's scope and activity
/// have ended. **Threads:** the handler's; values are copies and may be kept. **Fails:** [HttpStatusException] with
/// 400 where the client's text is malformed.
public interface Exchange {
    /// The method as it was sent.
    ///
    /// @return for example `GET`; a HEAD request answered by a GET route says `HEAD`
    String method();

    /// The decoded path.
    ///
    /// @return starts with `/`, without the query
    String path();

    /// A parameter of the route's pattern.
    ///
    /// @param name as in `{name}`
    /// @return decoded
    /// @throws IllegalArgumentException if the pattern has no such parameter
    String path(String name);

    /// The first query parameter of a name.
    ///
    /// @param name decoded
    /// @return decoded; empty if there is none
    Optional<String> query(String name);

    /// All query parameters of a name.
    ///
    /// @param name decoded
    /// @return decoded, in order
    default List<String> queries(String name) {
        return query(name).stream().toList();
    }

    /// The first header field of a name.
    ///
    /// @param name in any case
    /// @return without surrounding blanks
    Optional<String> header(String name);

    /// All header fields of a name.
    ///
    /// @param name in any case
    /// @return in order
    List<String> headers(String name);

    /// The announced length of the body.
    ///
    /// @return bytes; 0 if there is none, -1 if it is not known
    long contentLength();

    /// The body.
    ///
    /// @return the same one each time
    RequestBody body();

    /// The activity of this exchange, begun when it is first asked for: for work and cleanups that end before the
    /// exchange counts as done.
    ///
    /// @return the same one each time
    Activity activity();

    /// The scope of this exchange, which is also `Scope.current()` in the handler.
    ///
    /// @return closed before the exchange counts as done
    Scope scope();

    /// The other end of the connection, which may be a proxy's.
    ///
    /// @return empty if it had gone before its address was read
    default Optional<InetSocketAddress> peer() {
        return Optional.empty();
    }

    /// When the exchange is cancelled: also the deadline of all that the handler opens and forks. It is lifted once a
    /// stream or events have begun.
    ///
    /// @return on the host's clock
    Deadline deadline();

    /// Whether the exchange was cancelled.
    ///
    /// @return a view for any thread
    ExecutionCancellation cancellation();

    /// An id for logs, unique in this process.
    ///
    /// @return also sent with a 500
    String id();

    /// The route that matched.
    ///
    /// @return method and pattern, such as `GET /photos/{id}`
    String route();

    /// Whether the server is stopping.
    ///
    /// @return true for good
    boolean stopping();
}

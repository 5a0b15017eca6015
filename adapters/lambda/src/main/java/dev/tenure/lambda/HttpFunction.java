package dev.tenure.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.tenure.core.Deadline;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.DeploymentPolicy;
import dev.tenure.host.Host;
import dev.tenure.http.HttpCalls;
import dev.tenure.http.HttpCallsBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;

/// Answers the HTTP events of AWS Lambda, payload format 2.0 of API Gateway and of function URLs, by the routes of a
/// server.
///
/// Each invocation is one activity of the host: handler, background work and cleanups have ended before a byte of the
/// answer is written, since the platform may freeze the process as soon as it has the answer.
///
/// **Owner:** the class that the platform makes; it holds nothing that ends. The host is lent, and owns what the
/// handlers use. **Ends:** never: the process is frozen, and at some time gone, without notice. **Threads:** the
/// handler's is the platform's own, one invocation after the other. **Limits:** an event of 6 MiB in and out; the
/// invocation's remaining time less the margin (500 ms unless set), after which the handler is cancelled and the
/// answer is 504. **Fails:** [MalformedEvent] if the event is none of HTTP; what a client or handler did wrong is an
/// answer. **Source:** design 4, issue 4.
public final class HttpFunction implements RequestStreamHandler {
    /// What the platform takes of one event or answer, in bytes.
    public static final int EVENT_BYTES_MAX = 6 * 1_048_576;

    private static final Duration MARGIN = Duration.ofMillis(500);
    private static final Duration MARGIN_MAX = Duration.ofMinutes(1);

    private final Host host;
    private final HttpCalls calls;
    private final Duration margin;
    private final String prefix;

    private HttpFunction(Host host, HttpCalls calls, Duration margin, String prefix) {
        this.host = host;
        this.calls = calls;
        this.margin = margin;
        this.prefix = prefix;
    }

    /// A function that answers by these routes.
    ///
    /// @param host runs the activities; lent, of policy `REQUEST_ISOLATED`
    /// @param calls the routes, and how they are served
    /// @return the function
    /// @throws ConfigurationError for a host of another policy, and as [HttpCallsBuilder#open(Host)] does
    public static HttpFunction on(Host host, HttpCallsBuilder calls) {
        if (host.policy() != DeploymentPolicy.REQUEST_ISOLATED) {
            throw ConfigurationError.of(
                    "policy of host '" + host.name() + "'",
                    host.policy(),
                    "REQUEST_ISOLATED, since the platform freezes the process once it has an answer");
        }
        var open = calls.answerBytesMax(EVENT_BYTES_MAX).open(host);
        return new HttpFunction(host, open, MARGIN, "");
    }

    /// The same with another margin: what is left for cleanups and the answer when a handler is cancelled.
    ///
    /// @param time 0 to 1 min; less than the function's own timeout
    /// @return the function
    public HttpFunction withMargin(Duration time) {
        if (time.isNegative() || time.compareTo(MARGIN_MAX) > 0) {
            throw ConfigurationError.of("function margin", time, "0 to " + MARGIN_MAX);
        }
        return new HttpFunction(host, calls, time, prefix);
    }

    /// The same behind a prefix that events have and routes have not, such as `/prod` for a stage of that name. A path
    /// that does not begin with it, as under a domain of one's own, is taken as it is.
    ///
    /// @param path begins with `/`, does not end with it
    /// @return the function
    public HttpFunction behind(String path) {
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw ConfigurationError.of("function prefix", "'" + path + "'", "a path such as /prod");
        }
        return new HttpFunction(host, calls, margin, path);
    }

    /// Answers one invocation. Nothing of it is left when this returns.
    ///
    /// @param in the event
    /// @param out gets the answer, after the activity has ended
    /// @param context says how much time there is
    /// @throws IOException if `out` fails
    /// @throws MalformedEvent if the event is not one of HTTP
    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        var left = Duration.ofMillis(context.getRemainingTimeInMillis()).minus(margin);
        var deadline = Deadline.in(left, host.timeSource());
        var event = EventReader.read(in);
        var answer = calls.answer(event.head(prefix), event.body(), deadline);
        out.write(encoded(event, answer));
    }

    private byte[] encoded(HttpEvent event, HttpCalls.Answer answer) {
        try {
            return EventWriter.encode(answer, EVENT_BYTES_MAX);
        } catch (AnswerTooLarge tooLarge) {
            host.observer().failed("answer of %s %s".formatted(event.method(), event.path()), tooLarge);
            return EventWriter.encode(500, "500 " + tooLarge.getMessage() + "\n");
        }
    }

    @Override
    public String toString() {
        return "function of " + calls;
    }
}

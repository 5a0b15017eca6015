package dev.tenure.http;

import dev.tenure.http.RouteOptions.OnPeerGone;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.wire.Refusal;
import java.util.List;

/// A route, ready to be planned with: its limits resolved, its label made.
final class ServedRoute implements Plan.Task {
    private final String label;
    private final Handler handler;
    private final long bodyBytesMax;
    private final long exchangeNanos;
    private final boolean cancelOnGone;
    private final Refusal tooLarge;

    ServedRoute(Routes.Declared declared, HttpLimits limits) {
        var options = declared.options();
        this.label = declared.method() + " " + declared.pattern();
        this.handler = declared.handler();
        this.bodyBytesMax = options.bodyBytesMax().orElse(limits.bodyBytesMax());
        this.exchangeNanos = options.deadline().orElse(limits.exchange()).toNanos();
        this.cancelOnGone = options.onPeerGone() == OnPeerGone.CANCEL;
        this.tooLarge =
                new Refusal(413, options.tooLarge().orElse("the body has more than %d bytes".formatted(bodyBytesMax)));
    }

    String label() {
        return label;
    }

    Handler handler() {
        return handler;
    }

    @Override
    public long bodyBytesMax() {
        return bodyBytesMax;
    }

    @Override
    public long exchangeNanos() {
        return exchangeNanos;
    }

    @Override
    public boolean cancelOnGone() {
        return cancelOnGone;
    }

    @Override
    public Refusal tooLarge() {
        return tooLarge;
    }

    BodyTooLarge bodyTooLarge() {
        return new BodyTooLarge(bodyBytesMax, tooLarge.why());
    }

    /// The plan for a request, with the values that its path gave the parameters.
    Plan.Task with(List<String> names, List<String> values) {
        return values.isEmpty() ? this : new WithParameters(this, names, values);
    }

    /// A route with parameters.
    record WithParameters(ServedRoute route, List<String> names, List<String> values) implements Plan.Task {
        @Override
        public long bodyBytesMax() {
            return route.bodyBytesMax;
        }

        @Override
        public long exchangeNanos() {
            return route.exchangeNanos;
        }

        @Override
        public boolean cancelOnGone() {
            return route.cancelOnGone;
        }

        @Override
        public Refusal tooLarge() {
            return route.tooLarge;
        }
    }
}

package dev.tenure.host.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/// Our handlers for SIGTERM and SIGINT, and what was there before them.
///
/// **Owner:** the host that installed them. **Ends:** with [#close()], which puts back what was there, unless
/// somebody else has taken the signal since. A signal reaches every host of the process that has handlers.
/// **Threads:** any; the JVM runs a handler on a thread of its own. **Limits:** SIGQUIT belongs to the JVM's thread
/// dump and is left alone. **Source:** design 4, ADR-0010.
public final class ProcessSignals implements AutoCloseable {
    private final List<Installed> installed = new ArrayList<>();

    private ProcessSignals() {}

    /// No handlers.
    ///
    /// @return an installation of nothing
    public static ProcessSignals none() {
        return new ProcessSignals();
    }

    /// Installs a handler for SIGTERM and SIGINT. A signal that the JVM does not give away (it was started with
    /// `-Xrs`, or the system has none) is left out.
    ///
    /// @param onSignal gets the name, such as `SIGTERM`; short
    /// @return the installation
    public static ProcessSignals install(Consumer<String> onSignal) {
        var signals = new ProcessSignals();
        for (var name : List.of("TERM", "INT")) {
            try {
                signals.installed.add(new Installed(new Signal(name), onSignal));
            } catch (IllegalArgumentException _) {
                // Not ours to have: the shutdown hook runs the same stop.
            }
        }
        return signals;
    }

    /// Puts back what was there.
    @Override
    public void close() {
        installed.forEach(Installed::remove);
        installed.clear();
    }

    private static final class Installed implements SignalHandler {
        private final Signal signal;
        private final Consumer<String> onSignal;
        private final SignalHandler previous;
        private volatile boolean removed;

        Installed(Signal signal, Consumer<String> onSignal) {
            this.signal = signal;
            this.onSignal = onSignal;
            this.previous = Signal.handle(signal, this);
        }

        @Override
        public void handle(Signal received) {
            if (!removed) {
                onSignal.accept("SIG" + received.getName());
            }
            if (previous instanceof Installed other) {
                other.handle(received);
            }
        }

        void remove() {
            removed = true;
            var present = Signal.handle(signal, lastLiving());
            if (present != this && present instanceof Installed other && !other.removed) {
                Signal.handle(signal, other);
            } else if (present != this && !(present instanceof Installed)) {
                Signal.handle(signal, present);
            }
        }

        private SignalHandler lastLiving() {
            var handler = previous;
            while (handler instanceof Installed other && other.removed) {
                handler = other.previous;
            }
            return handler;
        }
    }
}

package dev.tenure.core;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Watches a sample of scopes by phantom references, which are cleared when the scope closes.
final class LeakSampler {
    private static final int FRAMES_MAX = 16;
    private static final StackWalker WALKER = StackWalker.getInstance();

    private final int oneIn;
    private final ReferenceQueue<Scope> unreachable = new ReferenceQueue<>();
    private final Set<Sample> samples = ConcurrentHashMap.newKeySet();

    LeakSampler(int oneIn) {
        this.oneIn = oneIn;
    }

    /// One watched scope; knows everything but the scope itself.
    static final class Sample extends PhantomReference<Scope> {
        private final LeakSampler sampler;
        private final String name;
        private final String thread = Thread.currentThread().getName();
        private final Supervisor.Options options;
        private final long openedNanos;
        private final List<StackTraceElement> opened;
        private final Map<String, Integer> held = new ConcurrentHashMap<>();

        private Sample(Scope scope, LeakSampler sampler) {
            super(scope, sampler.unreachable);
            this.sampler = sampler;
            this.name = scope.name();
            this.options = scope.options();
            this.openedNanos = options.timeSource().nanos();
            this.opened = site(FRAMES_MAX);
        }

        void linked(ResourceType<?> type) {
            held.merge(type.name(), 1, Integer::sum);
        }

        void unlinked(ResourceType<?> type) {
            held.computeIfPresent(type.name(), (_, count) -> count == 1 ? null : count - 1);
        }

        void closed() {
            sampler.samples.remove(this);
            clear();
        }

        private void report() {
            long age = options.timeSource().nanos() - openedNanos;
            options.observer().leaked(new Tracing.Leak(name, thread, Duration.ofNanos(age), opened, held));
        }
    }

    /// Watches the scope if its turn has come, and reports what became unreachable meanwhile.
    ///
    /// @return the sample, or null if it is not watched
    @Nullable
    Sample sampled(Scope scope) {
        if (oneIn > 1 && ThreadLocalRandom.current().nextInt(oneIn) != 0) {
            return null;
        }
        reportLeaks();
        Sample sample = new Sample(scope, this);
        samples.add(sample);
        return sample;
    }

    private void reportLeaks() {
        for (Reference<?> gone = unreachable.poll(); gone != null; gone = unreachable.poll()) {
            if (gone instanceof Sample sample && samples.remove(sample)) {
                sample.report();
            }
        }
    }

    /// Where our caller's caller stands: the frames outside of the core.
    static List<StackTraceElement> site(int frames) {
        return WALKER.walk(stack -> stack.dropWhile(LeakSampler::isOurs)
                .limit(frames)
                .map(StackWalker.StackFrame::toStackTraceElement)
                .toList());
    }

    private static boolean isOurs(StackWalker.StackFrame frame) {
        String type = frame.getClassName();
        return type.substring(0, Math.max(0, type.lastIndexOf('.'))).equals(LeakSampler.class.getPackageName());
    }
}

package dev.tenure.testkit;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/// Puts a sweep in the place of the one call that JUnit would make.
final class FaultSweepExtension implements TestTemplateInvocationContextProvider {
    FaultSweepExtension() {}

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getTestMethod(), FaultSweep.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return Stream.of(new Sweeping());
    }

    /// The one invocation.
    private static final class Sweeping
            implements TestTemplateInvocationContext, ParameterResolver, InvocationInterceptor {
        private final List<WorldPart> parts = new ArrayList<>();

        Sweeping() {
            ServiceLoader.load(WorldPart.class).forEach(parts::add);
        }

        @Override
        public String getDisplayName(int invocationIndex) {
            return "every fault at every point";
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return maker(parameter.getParameter().getType()).isPresent();
        }

        /// JUnit resolves once; the arguments of each run are made when it begins.
        @Override
        public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return null;
        }

        private Optional<Function<World, Object>> maker(Class<?> type) {
            if (type == World.class) {
                return Optional.of(world -> world);
            }
            return parts.stream()
                    .filter(part -> part.type() == type)
                    .findFirst()
                    .map(part -> part::make);
        }

        @Override
        public void interceptTestTemplateMethod(
                Invocation<@Nullable Void> invocation,
                ReflectiveInvocationContext<Method> method,
                ExtensionContext context) {
            invocation.skip();
            Method body = method.getExecutable();
            var makers = Arrays.stream(body.getParameterTypes())
                    .map(type -> maker(type).orElseThrow())
                    .toList();
            Object target = context.getRequiredTestInstance();
            var settings =
                    AnnotationSupport.findAnnotation(body, FaultSweep.class).orElseThrow();
            var sweep = sweep(settings, body.getName(), world -> {
                var arguments = makers.stream().map(maker -> maker.apply(world)).toArray();
                ReflectionSupport.invokeMethod(body, target, arguments);
            });
            var token = context.getConfigurationParameter("tenure.replay");
            if (token.isPresent()) {
                var replayed = sweep.replay(token.get());
                context.publishReportEntry("events", String.join("\n", replayed.events()));
                replayed.assertClean();
            } else {
                var report = sweep.run();
                context.publishReportEntry("sweep", report.toString());
                report.assertClean();
            }
        }

        private static Sweep sweep(FaultSweep settings, String name, Scenario scenario) {
            var sweep = Sweep.of(name, scenario)
                    .schedules(settings.schedules())
                    .pairs(settings.pairs())
                    .staying(settings.staying())
                    .seed(settings.seed())
                    .survivors(settings.survivors())
                    .budget(Duration.ofSeconds(settings.budgetSeconds()));
            if (settings.preemptions() >= 0) {
                sweep.exhaustive(settings.preemptions());
            }
            Fault[] faults = settings.faults();
            if (faults.length > 0) {
                sweep.faults(faults[0], faults);
            }
            return sweep;
        }
    }
}

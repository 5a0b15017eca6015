package dev.tenure.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.Set;

/// What main code may depend on; each rule says what to use instead.
final class ArchitectureRules {

    static final ArchRule NO_PACKAGE_CYCLES = slices().assignedFrom(new ByPackage())
            .should()
            .beFreeOfCycles()
            .because("a package is read after those it uses: move the shared type down, or pass a function in");

    static final ArchRule NETTY_STAYS_IN_ITS_ADAPTER = noClasses()
            .that()
            .resideOutsideOfPackage("..http.internal.netty..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..")
            .because("the exchange engine runs without sockets: events in, actions out");

    static final ArchRule SQL_STAYS_WITH_ITS_OWNERS = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.tenure.db..",
                    "dev.tenure.jobs..",
                    "dev.tenure.flyway..",
                    "dev.tenure.testkit..",
                    "dev.tenure.sim..",
                    "dev.tenure.examples..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..")
            .because("a connection is lent, never passed around: take a Transaction or a Lease of dev.tenure.db");

    static final ArchRule TIME_AND_THREADS_COME_FROM_CORE = noClasses()
            .that(DescribedPredicate.not(new CoreSeam()))
            .should()
            .accessTargetWhere(new Target(
                    "a clock, a sleep or a raw thread",
                    Map.of(
                            "java.lang.Thread",
                                    Set.of("sleep", "<init>", "ofVirtual", "ofPlatform", "startVirtualThread"),
                            "java.lang.System", Set.of("nanoTime", "currentTimeMillis"),
                            "java.time.Instant", Set.of("now"),
                            "java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system"),
                            "java.util.Timer", Set.of("<init>"),
                            "java.util.concurrent.ForkJoinPool", Set.of("commonPool"),
                            "java.util.concurrent.Executors",
                                    Set.of("newVirtualThreadPerTaskExecutor", "newThreadPerTaskExecutor"))))
            .because("tests own time and threads: use TimeSource, Timers or Threads of dev.tenure.core");

    static final ArchRule SETTINGS_COME_FROM_THE_COMPOSITION_ROOT = noClasses()
            .that()
            .resideOutsideOfPackages("dev.tenure.examples..", "dev.tenure.flyway..", "dev.tenure.jackson..")
            .should()
            .accessTargetWhere(new Target(
                    "the environment or a system property",
                    Map.of(
                            "java.lang.System", Set.of("getProperty", "getProperties", "getenv", "setProperty"),
                            "java.lang.Integer", Set.of("getInteger"),
                            "java.lang.Long", Set.of("getLong"),
                            "java.lang.Boolean", Set.of("getBoolean"))))
            .because("a module has options with defaults and names: take the value as an argument");

    private ArchitectureRules() {}

    /// The classes of core that are the seams themselves: TimeSource, Timers, Threads and what implements them.
    private static final class CoreSeam extends DescribedPredicate<JavaClass> {
        private static final Set<String> NAMES =
                Set.of("dev.tenure.core.TimeSource", "dev.tenure.core.Timers", "dev.tenure.core.Threads");

        CoreSeam() {
            super("TimeSource, Timers, Threads of core");
        }

        @Override
        public boolean test(JavaClass type) {
            var outermost = outermost(type);
            return outermost.getPackageName().startsWith("dev.tenure.core")
                    && NAMES.stream().anyMatch(outermost::isAssignableTo);
        }

        private JavaClass outermost(JavaClass type) {
            return type.getEnclosingClass().map(this::outermost).orElse(type);
        }
    }

    /// An access, by call or method reference, to one of the named members.
    private static final class Target extends DescribedPredicate<JavaAccess<?>> {
        private final Map<String, Set<String>> members;

        Target(String description, Map<String, Set<String>> members) {
            super(description);
            this.members = members;
        }

        @Override
        public boolean test(JavaAccess<?> access) {
            return members.getOrDefault(access.getTargetOwner().getName(), Set.of())
                    .contains(access.getTarget().getName());
        }
    }

    /// A friend interface in `spi` speaks in the types of the package it belongs to, and is one with it.
    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            var name = type.getPackageName();
            return name.startsWith("dev.tenure.")
                    ? SliceIdentifier.of(name.endsWith(".spi") ? name.substring(0, name.length() - 4) : name)
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of Tenure";
        }
    }
}

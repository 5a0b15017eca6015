package dev.tenure.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test method that is the scenario of a [Sweep]. It fails with the sweep's report.
///
/// Its parameters are a [World], and whatever a [WorldPart] of the class path makes; they are new for
/// every run. The method runs thousands of times on one instance of its class: it keeps nothing in
/// fields. Methods around each test run once. The configuration parameter `tenure.replay`, set to a
/// token, runs that one run instead and prints its events.
@SuppressWarnings("exports") // JUnit alone uses the extension
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FaultSweepExtension.class)
public @interface FaultSweep {
    /// Under how many schedules it is cancelled at every point.
    ///
    /// @return at least 1
    int schedules() default 50;

    /// How many runs meet two faults.
    ///
    /// @return at least 0
    int pairs() default 500;

    /// Whether failures also stay, where their point comes again.
    ///
    /// @return false for a scenario that rightly never gives up
    boolean staying() default true;

    /// Runs every schedule with at most so many preemptions, if not negative.
    ///
    /// @return the bound
    int preemptions() default -1;

    /// The faults to inject.
    ///
    /// @return none for all
    Fault[] faults() default {};

    /// What may outlive the scenario.
    ///
    /// @return names as in reports
    String[] survivors() default {};

    /// Decides what is left to chance.
    ///
    /// @return any number
    long seed() default 1;

    /// The longest time.
    ///
    /// @return seconds of real time
    int budgetSeconds() default 10;
}

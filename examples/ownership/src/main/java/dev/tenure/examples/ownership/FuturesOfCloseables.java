package dev.tenure.examples.ownership;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaGenericArrayType;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.core.domain.JavaWildcardType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.tenure.core.Owned;
import dev.tenure.core.Task;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/// An ArchUnit rule for your own code: no field, parameter or result is a future of a closeable.
///
/// Nobody owns what travels in a future: a cancel, a timeout or a lost `get` leaves it open. Copy this class into your
/// tests, or use it from here.
///
/// **Threads:** immutable. **Limits:** sees signatures, not local variables; raw and erased types say nothing.
public final class FuturesOfCloseables {
    /// The rule. A [Task] of a raw closeable counts as a future too; a task of an [Owned] is the remedy.
    public static final ArchRule NONE_IN_SIGNATURES = ArchRuleDefinition.members()
            .should(new HaveNone())
            .because("nobody owns what a future carries: acquire it in the taker's scope, or return an Owned");

    private FuturesOfCloseables() {}

    private static final class HaveNone extends ArchCondition<JavaMember> {
        HaveNone() {
            super("have no future of a closeable in the signature");
        }

        @Override
        public void check(JavaMember member, ConditionEvents events) {
            signature(member)
                    .filter(type -> hasFutureOfCloseable(type, new HashSet<>()))
                    .forEach(type -> events.add(SimpleConditionEvent.violated(
                            member,
                            "%s has the type %s in %s"
                                    .formatted(
                                            member.getDescription(), type.getName(), member.getSourceCodeLocation()))));
        }

        private static Stream<JavaType> signature(JavaMember member) {
            return switch (member) {
                case JavaField field -> Stream.of(field.getType());
                case JavaCodeUnit unit ->
                    Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream());
                default -> Stream.empty();
            };
        }
    }

    private static boolean hasFutureOfCloseable(JavaType type, Set<JavaType> seen) {
        if (!seen.add(type)) {
            return false;
        }
        boolean future = isFuture(type.toErasure());
        return parts(type)
                .anyMatch(
                        part -> hasFutureOfCloseable(part, seen) || (future && holdsCloseable(part, new HashSet<>())));
    }

    private static boolean isFuture(JavaClass type) {
        return Stream.of(Future.class, CompletionStage.class, Task.class).anyMatch(type::isAssignableTo);
    }

    /// A handle counts as safe whatever it holds: its value has an owner.
    private static boolean holdsCloseable(JavaType type, Set<JavaType> seen) {
        JavaClass erased = type.toErasure();
        if (!seen.add(type) || erased.isEquivalentTo(Owned.class)) {
            return false;
        }
        return erased.isAssignableTo(AutoCloseable.class) || parts(type).anyMatch(part -> holdsCloseable(part, seen));
    }

    /// What a type is made of: its arguments, bounds, or components.
    private static Stream<JavaType> parts(JavaType type) {
        return switch (type) {
            case JavaParameterizedType generic -> generic.getActualTypeArguments().stream();
            case JavaWildcardType wildcard ->
                Stream.concat(wildcard.getUpperBounds().stream(), wildcard.getLowerBounds().stream());
            case JavaTypeVariable<?> variable -> variable.getUpperBounds().stream();
            case JavaGenericArrayType array -> Stream.of(array.getComponentType());
            case JavaClass plain when plain.isArray() -> Stream.of(plain.getBaseComponentType());
            default -> Stream.empty();
        };
    }
}

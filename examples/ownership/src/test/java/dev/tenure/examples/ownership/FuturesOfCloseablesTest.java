package dev.tenure.examples.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.tenure.examples.futures.Right;
import dev.tenure.examples.futures.Violating;
import java.util.List;
import org.junit.jupiter.api.Test;

class FuturesOfCloseablesTest {
    private static EvaluationResult evaluate(Class<?> type) {
        return FuturesOfCloseables.NONE_IN_SIGNATURES.evaluate(new ClassFileImporter().importClasses(type));
    }

    @Test
    void violatingClass_isFoundInEachMember() {
        List<String> details = evaluate(Violating.class).getFailureReport().getDetails();
        assertThat(details).hasSize(7).allMatch(one -> one.contains("has the type"));
        assertThat(List.of("result", "wrapped", "collected", "parameter", "nested", "task", "inward"))
                .allSatisfy(name -> assertThat(details).anyMatch(one -> one.contains("." + name + "(")));
    }

    @Test
    void rightClass_passes() {
        assertThat(evaluate(Right.class).hasViolation()).isFalse();
    }

    @Test
    void ownCode_passes() {
        // tag::use
        var mine = new ClassFileImporter().importPackages("dev.tenure.examples.ownership");
        FuturesOfCloseables.NONE_IN_SIGNATURES.check(mine);
        // end::use
    }
}

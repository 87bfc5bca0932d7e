package io.jenkins.plugins.tao;

import io.jenkins.plugins.tao.jenkins.RealJenkins;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test that needs a real Jenkins. It runs with {@code ./mvnw verify -Pacceptance -Dtao.jenkins=FOLDER}, is skipped where
 * no folder is named, and fails where that folder has no Jenkins.
 */
@Tag("jenkins")
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(NeedsJenkins.Guard.class)
public @interface NeedsJenkins {
    /** Plugins that not every Jenkins has, such as {@code git}: without one of them the test is skipped. */
    String[] plugins() default {};

    /** Skips or fails before anything of the class runs. */
    final class Guard implements ExecutionCondition, BeforeAllCallback {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (!RealJenkins.isNamed()) {
                return ConditionEvaluationResult.disabled("It needs a real Jenkins: " + RealJenkins.COMMAND);
            }
            if (RealJenkins.plugins().isEmpty()) {
                return ConditionEvaluationResult.enabled("It fails below");
            }
            List<String> lacking = AnnotationSupport.findAnnotation(context.getElement(), NeedsJenkins.class).stream()
                    .flatMap(needs -> Stream.of(needs.plugins()))
                    .filter(plugin -> RealJenkins.plugin(plugin).isEmpty())
                    .toList();
            return lacking.isEmpty()
                    ? ConditionEvaluationResult.enabled("Jenkins has what it needs")
                    : ConditionEvaluationResult.disabled("The Jenkins lacks the plugins " + lacking);
        }

        @Override
        public void beforeAll(ExtensionContext context) {
            RealJenkins.check();
        }
    }
}

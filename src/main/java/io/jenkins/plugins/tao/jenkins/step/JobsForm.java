package io.jenkins.plugins.tao.jenkins.step;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The forms of the steps that take jobs in {@code job}. */
public abstract class JobsForm extends StepForm {
    @Override
    public Map<String, Object> customInstantiate(Map<String, Object> arguments) {
        return Tokens.arguments(arguments);
    }

    @Override
    public @Nullable String argumentsToString(Map<String, Object> namedArgs) {
        return Tokens.named(namedArgs.get("job"));
    }
}

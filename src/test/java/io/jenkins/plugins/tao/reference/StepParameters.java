package io.jenkins.plugins.tao.reference;

import io.jenkins.plugins.tao.OurClasses;
import io.jenkins.plugins.tao.jenkins.freestyle.TaoBuilder;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import org.jenkinsci.plugins.workflow.steps.Step;
import org.jenkinsci.plugins.workflow.steps.StepDescriptor;

/** The parameters of each Pipeline step, from its form and the form's help. */
final class StepParameters {
    private static final String STEPS = "io.jenkins.plugins.tao.jenkins.step";

    private StepParameters() {}

    /** A section for each step, by name. */
    static String tables() {
        StringBuilder text = new StringBuilder();
        steps().forEach((function, step) -> {
            text.append("## " + function + "\n\n").append(HelpTexts.of(step)).append("\n\n");
            Map<String, Class<?>> properties = Forms.properties(step);
            if (!properties.isEmpty()) {
                text.append("| name | form | meaning, unit and default |\n|---|---|---|\n");
            }
            properties.forEach((name, type) -> text.append("| `" + name + "` | ")
                    .append(Step.class.isAssignableFrom(type) ? "keys and values" : ComponentForm.of(type))
                    .append(" | ")
                    .append(meaning(step, name, type).replace("|", "\\|"))
                    .append(" |\n"));
            text.append('\n');
        });
        return text.toString().strip() + "\n";
    }

    private static String meaning(Class<?> step, String name, Class<?> type) {
        String help = HelpTexts.of(step, name).orElse("");
        return Step.class.isAssignableFrom(type) ? "The parameters of " + heading(type) + "." : help;
    }

    private static Map<String, Class<?>> steps() {
        Map<String, Class<?>> steps = new TreeMap<>();
        OurClasses.all(STEPS, type -> Step.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers()))
                .forEach(step -> steps.put(heading(step), step));
        steps.put("The build step of freestyle jobs", TaoBuilder.class);
        return steps;
    }

    private static String heading(Class<?> step) {
        try {
            Class<?> descriptor = Class.forName(step.getName() + "$DescriptorImpl");
            String name = ((StepDescriptor) descriptor.getDeclaredConstructor().newInstance()).getFunctionName();
            return "`" + name + "`";
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(step + " has no descriptor", e);
        }
    }
}

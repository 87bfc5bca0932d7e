package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.jenkins.freestyle.TaoBuilder;
import io.jenkins.plugins.tao.jenkins.run.JobRequest;
import io.jenkins.plugins.tao.jenkins.run.WatchRequest;
import io.jenkins.plugins.tao.jenkins.run.WatchTerms;
import io.jenkins.plugins.tao.monitor.EarlyEnd;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each door has each parameter in its form, with a help. */
class WatchOptionsTest {
    @ParameterizedTest
    @ValueSource(classes = {WaitStep.class, RunStep.class, TaoBuilder.class})
    @Promise("JK-18")
    void eachFormHasEachParameterOfAWait(Class<?> door) throws IOException {
        String form = resource(door, "config.jelly");

        for (String parameter : parameters(WatchRequest.class)) {
            boolean ofTheJob = door == RunStep.class && parameter.equals("giveUpAfter");
            assertThat(ofTheJob ? resource(SubmitStep.class, "config.jelly") : form)
                    .as(parameter)
                    .contains("field=\"" + parameter + "\"");
            Class<?> helper = door == TaoBuilder.class
                    ? new TaoBuilder.DescriptorImpl().redirected(parameter).orElse(door)
                    : door;
            assertThat(resource(holder(helper, "help-" + parameter + ".html"), "help-" + parameter + ".html"))
                    .contains("<div>");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {RunStep.class, PreflightStep.class, TaoBuilder.class})
    @Promise("JK-18")
    void theFormsOfAWholeJobHoldThatOfTheSubmission(Class<?> door) throws IOException {
        assertThat(resource(door, "config.jelly")).containsAnyOf("step.SubmitStep", "<f:property field=\"job\"/>");
        String submission = resource(SubmitStep.class, "config.jelly") + resource(RunStep.class, "wait.jelly");
        for (String parameter : parameters(JobRequest.class)) {
            assertThat(submission).as(parameter).contains("field=\"" + parameter + "\"");
        }
    }

    @Test
    void theRulesOfAnEarlyEndReachTheWatchOfAJobAndThoseOfASweepDoNot() {
        RunStep run = new RunStep("dgx", "train");
        run.setEndEarly("NaN of val_loss");
        SweepStep sweep = new SweepStep("dgx", "train");
        sweep.setEndEarly("median of val_acc after 5 epochs");
        WaitStep wrong = new WaitStep("token");
        wrong.setEndEarly("median of val_acc after 5 epochs");

        assertThat(WatchTerms.of(run.waitFor("token")).plan().endEarly())
                .containsExactly(new EarlyEnd("val_loss", 3, Optional.empty()));
        assertThat(WatchTerms.of(sweep).plan().endEarly()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WatchTerms.of(wrong))
                .withMessageContaining("endEarly of a job must be");
    }

    private static List<String> parameters(Class<?> request) {
        return Stream.of(request.getMethods())
                .map(Method::getName)
                .filter(name -> name.matches("(get|is)[A-Z].*"))
                .map(name -> name.replaceFirst("^(get|is)", ""))
                .map(name -> name.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + name.substring(1))
                // what a step saves of its code and of its purpose; nobody sets it
                .filter(name -> !List.of("codeId", "confirming").contains(name))
                .toList();
    }

    /** The class whose folder has the file: {@code door}, or one above it. */
    private static Class<?> holder(Class<?> door, String name) {
        Class<?> above = door.getSuperclass();
        return door.getResource(door.getSimpleName() + "/" + name) != null || above == Object.class
                ? door
                : holder(above, name);
    }

    private static String resource(Class<?> door, String name) throws IOException {
        try (InputStream in = door.getResourceAsStream(door.getSimpleName() + "/" + name)) {
            assertThat(in).as(door.getSimpleName() + "/" + name).isNotNull();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text + more(text, "more.jelly", SubmitStep.class) + more(text, "wait.jelly", RunStep.class);
        }
    }

    /** What the page {@code text} includes. */
    private static String more(String text, String page, Class<?> door) throws IOException {
        return text.contains("page=\"" + page + "\"") ? resource(door, page) : "";
    }
}

package io.jenkins.plugins.tao.jenkins.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import hudson.AbortException;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.jenkins.run.CancelRequests;
import io.jenkins.plugins.tao.jenkins.run.LiveBuilds;
import io.jenkins.plugins.tao.jenkins.run.OpenBuilds;
import io.jenkins.plugins.tao.jenkins.run.StateSaves;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jenkinsci.plugins.structs.describable.DescribableModel;
import org.jenkinsci.plugins.structs.describable.DescribableParameter;
import org.jenkinsci.plugins.workflow.steps.StepDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jenkins shows an {@link AbortException} as one line of the build log, and all else with its stack trace. */
class WrongUsesTest {
    /** Groovy's closures are callable, and of a class that no field takes. */
    private static final Callable<String> CLOSURE = () -> "never called";

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private StepProbe probe;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(
                home, new LiveBuilds(), new OpenBuilds(), new StateSaves(), new CancelRequests(), new TaoRunActions());
        FakeBuild build = jenkins.build("train");
        probe = new StepProbe(build);
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    static Stream<Arguments> wrongUses() {
        return Stream.of(
                        gates(),
                        runs(new RunStep.DescriptorImpl()),
                        runs(new SubmitStep.DescriptorImpl()),
                        runs(new SweepStep.DescriptorImpl()),
                        runs(new PreflightStep.DescriptorImpl()),
                        waits(new RunStep.DescriptorImpl(), job()),
                        waits(new WaitStep.DescriptorImpl(), Map.of("job", "tao:no-token")),
                        others())
                .flatMap(uses -> uses);
    }

    private static Stream<Arguments> gates() {
        StepDescriptor gate = new GateStep.DescriptorImpl();
        return Stream.of(
                arguments(gate, Map.of(), "kpi"),
                arguments(gate, Map.of("kpi", "mAP", "atLeast", 0.4, "atMost", 0.9), "atMost"),
                arguments(gate, Map.of("kpi", "mAP", "atLeast", "much"), "much"),
                arguments(gate, Map.of("kpi", "mAP", "effect", "BOOM"), "BOOM"),
                arguments(gate, Map.of("kpi", "mAP", "atLeats", 0.4), "Did you mean 'atLeast'?"),
                arguments(gate, Map.of("kpi", "mAP", "atLeast", CLOSURE), "atLeast must be text, a number"),
                arguments(gate, Map.of("kpi", "mAP", "atLeast", "NaN"), "atLeast"),
                arguments(gate, Map.of("kpi", "mAP", "atLeast", List.of(1, 2)), "atLeast"),
                arguments(gate, Map.of("kpi", "mAP", "within", "2 apples"), "within"),
                arguments(gate, Map.of("kpi", "mAP", "range", "0..7..9"), "range"));
    }

    private static Map<String, Object> job() {
        return Map.of("target", FakeJenkins.TARGET, "command", "train");
    }

    private static Map<String, Object> with(Map<String, Object> more, String name, Object value) {
        Map<String, Object> all = new HashMap<>(more);
        all.put(name, value);
        return all;
    }

    private static Stream<Arguments> runs(StepDescriptor step) {
        Map<String, Object> job = step instanceof SweepStep.DescriptorImpl
                ? with(with(job(), "matrix", Map.of("env.LR", List.of(1, 2))), "name", "sweep")
                : job();
        return Stream.of(
                arguments(step, with(job, "comand", "train"), "has no parameter 'comand'. Did you mean 'command'?"),
                arguments(step, Map.of("target", FakeJenkins.TARGET, "comand", "train"), "Did you mean 'command'?"),
                arguments(step, with(job, "env", Map.of("X", CLOSURE)), "env.X must be text"),
                arguments(step, with(job, "inputs", List.of(CLOSURE)), "inputs must be text"),
                arguments(step, with(job, "gpus", "many"), "gpus"),
                arguments(step, with(job, "gpus", CLOSURE), "gpus must be text, a number"),
                arguments(step, with(job, "gpus", -1), "gpus"),
                arguments(step, with(job, "gpus", 1.5), "gpus"),
                arguments(step, with(job, "gpus", new BigInteger("99999999999999999999")), "gpus"),
                arguments(step, with(job, "gpus", Map.of("a", 1)), "gpus"),
                arguments(step, with(job, "nodes", 0), "nodes"),
                arguments(step, with(job, "timeLimit", "-4h"), "timeLimit"),
                arguments(step, with(job, "timeLimit", "3 fortnights"), "timeLimit"),
                arguments(step, with(job, "timeLimit", Duration.ofHours(3)), "timeLimit must be text, a number"),
                arguments(step, with(job, "env", List.of("A=1")), "env must be a mapping"),
                arguments(step, with(job, "spec", "a: [1"), "spec"),
                arguments(step, with(job, "set", Map.of("a..b", 1)), "write the keys with dots"),
                arguments(step, with(job, "timeLimit", "soon"), "timeLimit"),
                arguments(step, with(job, "options", "fast"), "options must be those of a backend"),
                arguments(step, with(job, "env", "no mapping"), "env must be a mapping"),
                arguments(step, with(job, "target", "nowhere"), "nowhere"),
                arguments(step, with(job, "resume", "relative"), "resume"));
    }

    private static Stream<Arguments> waits(StepDescriptor step, Map<String, Object> least) {
        return Stream.of(
                arguments(step, with(least, "onAbort", "kill"), "onAbort must be 'cancel' or 'detach', was 'kill'"),
                arguments(step, with(least, "archive", "../x"), "archive: "),
                arguments(step, with(least, "archiveLimit", "big"), "archiveLimit: "),
                arguments(step, with(least, "giveUpAfter", "soon"), "giveUpAfter must be a length of time"),
                arguments(step, with(least, "giveUpAfter", "10s"), "giveUpAfter"),
                arguments(step, with(least, "retries", "often"), "retries"),
                arguments(step, with(least, "onStall", "sleep"), "onStall"),
                arguments(step, with(least, "endEarly", "median of x after 2 epochs"), "endEarly"));
    }

    private static Stream<Arguments> others() {
        StepDescriptor sweep = new SweepStep.DescriptorImpl();
        return Stream.of(
                arguments(sweep, with(job(), "matrix", Map.of()), "matrix"),
                arguments(sweep, with(job(), "matrix", Map.of("env.LR", List.of())), "env.LR"),
                arguments(sweep, with(with(job(), "matrix", Map.of("env.LR", List.of(1))), "carry", "bus"), "carry"),
                arguments(new BlessStep.DescriptorImpl(), Map.of(), "A blessing needs a reason"),
                arguments(new DigestStep.DescriptorImpl(), Map.of("within", "nonsense"), "within"),
                arguments(new DigestStep.DescriptorImpl(), Map.of("format", "pdf"), "format"),
                arguments(new BisectStep.DescriptorImpl(), Map.of(), "taoBisect takes commits"),
                arguments(new WaitStep.DescriptorImpl(), Map.of(), "Give a job"),
                arguments(new WaitStep.DescriptorImpl(), Map.of("job", "4711"), "4711"),
                arguments(new CancelStep.DescriptorImpl(), Map.of(), "Give a job"),
                arguments(new StatusStep.DescriptorImpl(), Map.of("job", CLOSURE), ""),
                arguments(new RetryStep.DescriptorImpl(), Map.of(), "Give a job"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("wrongUses")
    void aWrongUseEndsWithItsWordsAndWithoutAStackTrace(
            StepDescriptor step, Map<String, Object> arguments, String words) {
        Throwable failure = failure(step, arguments);

        assertThat(failure).isInstanceOf(AbortException.class).hasMessageContaining(words);
        assertThat(failure.getMessage()).doesNotContain("Exception", "Could not instantiate");
    }

    private static final List<Object> ODD = List.of(
            -1,
            new BigInteger("9".repeat(40)),
            Double.NaN,
            "nonsense",
            "9".repeat(400),
            "a: [1",
            "\u0000",
            List.of(List.of("a")),
            Set.of("b"),
            Map.of("c", List.of(Map.of())),
            Map.of(1, CLOSURE),
            CLOSURE);

    /** What a value of a wrong kind does in each parameter of each step: words or nothing, and no trace of ours. */
    @Test
    void noValueOfAnyParameterEndsInAStackTrace() {
        List<String> traces = new ArrayList<>();
        for (StepDescriptor step : List.of(
                new RunStep.DescriptorImpl(),
                new SubmitStep.DescriptorImpl(),
                new SweepStep.DescriptorImpl(),
                new PreflightStep.DescriptorImpl(),
                new WaitStep.DescriptorImpl(),
                new StatusStep.DescriptorImpl(),
                new CancelStep.DescriptorImpl(),
                new GateStep.DescriptorImpl(),
                new BlessStep.DescriptorImpl(),
                new DigestStep.DescriptorImpl(),
                new BisectStep.DescriptorImpl())) {
            for (String name : DescribableModel.of(step.clazz).getParameters().stream()
                    .map(DescribableParameter::getName)
                    .toList()) {
                ODD.forEach(odd -> trace(step, name, odd).ifPresent(traces::add));
                Map<String, Object> nothing = new HashMap<>();
                nothing.put(name, null);
                trace(step, nothing).ifPresent(traces::add);
            }
        }
        assertThat(traces).isEmpty();
    }

    private Optional<String> trace(StepDescriptor step, String name, Object odd) {
        return trace(step, Map.of(name, odd));
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // as Jenkins catches what a step throws
    private Optional<String> trace(StepDescriptor step, Map<String, Object> arguments) {
        try {
            var unused =
                    step.newInstance(with(arguments, "target", "nowhere", step)).start(probe);
            return Optional.empty();
        } catch (Throwable e) {
            boolean told = e instanceof AbortException
                    && !String.valueOf(e.getMessage()).matches("(?s).*(Exception|Could not instantiate|null).*");
            return told ? Optional.empty() : Optional.of(step.getFunctionName() + arguments + ": " + e);
        }
    }

    /** With a target, where the step has one. */
    private static Map<String, Object> with(
            Map<String, Object> arguments, String name, Object value, StepDescriptor step) {
        boolean has = DescribableModel.of(step.clazz).getParameters().stream()
                .anyMatch(each -> each.getName().equals(name));
        return has && !arguments.containsKey(name) ? with(arguments, name, value) : arguments;
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // as Jenkins catches what a step throws
    private Throwable failure(StepDescriptor step, Map<String, Object> arguments) {
        try {
            probe.start(step.newInstance(arguments));
        } catch (Exception e) {
            return e;
        }
        return probe.failure();
    }
}

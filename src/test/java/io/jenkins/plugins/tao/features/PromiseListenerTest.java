package io.jenkins.plugins.tao.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.features.TestResult.End;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The classes tagged {@code fixture} are run by these tests alone: Surefire leaves that tag out. */
class PromiseListenerTest {
    @Test
    void eachEndIsNotedWithTheMethodsPromises() {
        assertThat(run(Ends.class))
                .containsExactlyInAnyOrder(
                        result("Ends.disabled", End.SKIPPED, "SL-03"),
                        result("Ends.failing", End.FAILED, "SL-02"),
                        result("Ends.passing", End.PASSED, "SL-01", "SL-11"),
                        result("Ends.skipping", End.SKIPPED, "SL-04"));
    }

    @Test
    void theWorstOfAllParametersCounts() {
        assertThat(run(Parameters.class))
                .containsExactlyInAnyOrder(
                        result("Parameters.good", End.PASSED, "SL-01"),
                        result("Parameters.mixed", End.FAILED, "SL-02"),
                        result("Parameters.partial", End.SKIPPED, "SL-03"));
    }

    @Test
    void aContractsPromisesAreItsImplementersPromises() {
        assertThat(run(Keeper.class))
                .containsExactlyInAnyOrder(
                        result("Keeper.inherited", End.PASSED, "GE-01", "GE-02", "GE-04"),
                        result("Keeper.overridden", End.PASSED, "GE-01", "GE-03", "GE-04"));
    }

    @Test
    void aClassThatCannotBeSetUpProvesNothing() {
        assertThat(run(NoRig.class)).containsExactly(result("NoRig.never", End.SKIPPED, "SL-01"));
    }

    @Test
    void aTestThatNeedsJenkinsIsMarked() {
        assertThat(run(WithJenkins.class))
                .containsExactly(new TestResult("WithJenkins.runs", List.of("SL-01"), End.PASSED, true));
    }

    @Test
    void aResultReadsBackTheSame() {
        TestResult result = new TestResult("A.b", List.of("SL-02", "SL-01"), End.SKIPPED, true);

        assertThat(TestResult.parse(result.render())).isEqualTo(result);
    }

    private static TestResult result(String test, End end, String... ids) {
        return new TestResult(test, List.of(ids), end, false);
    }

    private static List<TestResult> run(Class<?> type) {
        Recorder recorder = new Recorder();
        LauncherConfig alone = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .addTestExecutionListeners(recorder)
                .build();
        LauncherFactory.create(alone)
                .execute(LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(type))
                        .build());
        return recorder.results;
    }

    /** Hands on to a listener of its own, but for the end of the run, which would be noted as this build's. */
    private static final class Recorder implements TestExecutionListener {
        private final PromiseListener listener = new PromiseListener();
        private List<TestResult> results = List.of();

        @Override
        public void executionSkipped(TestIdentifier identifier, String reason) {
            listener.executionSkipped(identifier, reason);
        }

        @Override
        public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
            listener.executionFinished(identifier, result);
        }

        @Override
        public void testPlanExecutionFinished(TestPlan plan) {
            results = listener.results(plan);
        }
    }

    @Tag("fixture")
    static class Ends {
        @Test
        @Promise({"SL-11", "SL-01"})
        void passing() {}

        @Test
        @Promise("SL-02")
        void failing() {
            throw new IllegalStateException("on purpose");
        }

        @Test
        @Promise("SL-03")
        @Disabled("on purpose: a disabled test proves nothing")
        void disabled() {}

        @Test
        @Promise("SL-04")
        void skipping() {
            Assumptions.abort("on purpose");
        }

        @Test
        void withoutPromise() {}
    }

    @Tag("fixture")
    static class Parameters {
        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        @Promise("SL-01")
        void good(int number) {
            assertThat(number).isPositive();
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 0, 1})
        @Promise("SL-02")
        void mixed(int number) {
            assertThat(number).isPositive();
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 0, 1})
        @Promise("SL-03")
        void partial(int number) {
            Assumptions.assumeTrue(number > 0, "on purpose");
        }
    }

    @Promise("GE-01")
    @Tag("fixture")
    abstract static class Contract {
        @Test
        @Promise("GE-02")
        void inherited() {}

        @Test
        @Promise("GE-03")
        void overridden() {}
    }

    @Promise("GE-04")
    static class Keeper extends Contract {
        @Test
        @Override
        void overridden() {}
    }

    @Tag("fixture")
    static class NoRig {
        @BeforeAll
        static void look() {
            Assumptions.abort("no rig, on purpose");
        }

        @Test
        @Promise("SL-01")
        void never() {}
    }

    @NeedsJenkins
    @Tag("fixture")
    static class WithJenkins {
        @Test
        @Promise("SL-01")
        void runs() {}
    }
}

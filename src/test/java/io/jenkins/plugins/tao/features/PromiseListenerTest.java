package io.jenkins.plugins.tao.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.jenkins.plugins.tao.Promise;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private Map<String, Set<String>> promises = Map.of();

    @Test
    void aTestThatPassedIsNoted() {
        assertThat(run(Ends.class)).containsExactly("Ends.passing");
        assertThat(promises).containsEntry("Ends.passing", Set.of("SL-01", "SL-11"));
    }

    @Test
    void allParametersHaveToPass() {
        assertThat(run(Parameters.class)).containsExactly("Parameters.good");
    }

    @Test
    void aContractsPromisesAreItsImplementersPromises() {
        assertThat(run(Keeper.class)).containsExactly("Keeper.inherited", "Keeper.overridden");
        assertThat(promises)
                .containsEntry("Keeper.inherited", Set.of("GE-01", "GE-02", "GE-04"))
                .containsEntry("Keeper.overridden", Set.of("GE-01", "GE-03", "GE-04"));
    }

    @Test
    void aClassThatCannotBeSetUpProvesNothing() {
        assertThat(run(NoRig.class)).isEmpty();
        assertThat(promises).containsEntry("NoRig.never", Set.of("SL-01"));
    }

    private List<String> run(Class<?> type) {
        Recorder recorder = new Recorder();
        LauncherConfig alone = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .addTestExecutionListeners(recorder)
                .build();
        LauncherFactory.create(alone)
                .execute(LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(type))
                        .build());
        promises = recorder.promises;
        return recorder.passed;
    }

    /** Hands on to a listener; the end of the run it keeps, since that would be noted as this build's. */
    private static final class Recorder implements TestExecutionListener {
        private final PromiseListener listener = new PromiseListener();
        private List<String> passed = List.of();
        private Map<String, Set<String>> promises = Map.of();

        @Override
        public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
            listener.executionFinished(identifier, result);
        }

        @Override
        public void testPlanExecutionFinished(TestPlan plan) {
            passed = listener.passed(plan);
            promises = PromisingTest.in(plan);
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
}

package io.jenkins.plugins.tao;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/** How long tests wait for what must come: long enough for a machine under heavy load, and no longer than it takes elsewhere. */
public final class TestPatience implements TestExecutionListener {
    public static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        Awaitility.setDefaultTimeout(LONGEST);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(BETWEEN_LOOKS);
    }
}

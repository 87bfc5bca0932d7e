package io.jenkins.plugins.tao.features;

import io.jenkins.plugins.tao.features.TestResult.End;
import java.util.List;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The tests that carry promises, as the class files declare them. Runs nothing. */
final class DeclaredTests {
    private DeclaredTests() {}

    /** Those of {@code root} and the packages below it, each as if it had passed. */
    static List<TestResult> in(String root) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectPackage(root))
                .filters(TagFilter.excludeTags("fixture"))
                .build();
        LauncherConfig alone = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        return new PromiseListener()
                .results(LauncherFactory.create(alone).discover(request)).stream()
                        .map(found -> new TestResult(found.test(), found.promises(), End.PASSED, found.needsJenkins()))
                        .toList();
    }
}

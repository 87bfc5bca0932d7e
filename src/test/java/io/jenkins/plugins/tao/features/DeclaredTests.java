package io.jenkins.plugins.tao.features;

import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The tests that carry promises, as the class files declare them. Runs nothing. */
final class DeclaredTests {
    private DeclaredTests() {}

    /** The ids that each test of {@code root} and of the packages below it carries, by the test's name. */
    static Map<String, Set<String>> in(String root) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectPackage(root))
                .filters(TagFilter.excludeTags("fixture"), EngineFilter.includeEngines("junit-jupiter"))
                .build();
        LauncherConfig alone = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .build();
        return PromisingTest.in(LauncherFactory.create(alone).discover(request));
    }
}

package io.jenkins.plugins.tao.features;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * A test that carries promises.
 *
 * @param name {@code SlurmScriptTest.aSecretIsNotInTheScript}; the same for all its parameters and repetitions
 * @param ids the promises, sorted
 */
record PromisingTest(String name, Set<String> ids) {
    /** The ids that each test of {@code plan} carries, by the test's name. */
    static Map<String, Set<String>> in(TestPlan plan) {
        Map<String, Set<String>> idsByTest = new TreeMap<>();
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier identifier : plan.getDescendants(root)) {
                of(plan, identifier).ifPresent(test -> idsByTest.put(test.name(), test.ids()));
            }
        }
        return idsByTest;
    }

    static Optional<PromisingTest> of(TestPlan plan, TestIdentifier identifier) {
        Optional<MethodSource> method = around(plan, identifier, MethodSource.class);
        if (method.isPresent()) {
            MethodSource source = method.get();
            Set<String> ids = Promises.of(source.getJavaClass(), source.getJavaMethod());
            return of(source.getJavaClass(), source.getMethodName(), ids);
        }
        return around(plan, identifier, ClassSource.class)
                .filter(source -> identifier.isTest()) // a test that is no method, such as a rule of ArchUnit
                .map(ClassSource::getJavaClass)
                .flatMap(type -> of(type, identifier.getDisplayName(), Promises.of(type, null)));
    }

    private static Optional<PromisingTest> of(Class<?> type, String name, Set<String> ids) {
        return ids.isEmpty()
                ? Optional.empty()
                : Optional.of(new PromisingTest(type.getSimpleName() + "." + name, new TreeSet<>(ids)));
    }

    /** The nearest source of that kind, of the test itself or of what it lies in. */
    private static <T extends TestSource> Optional<T> around(TestPlan plan, TestIdentifier identifier, Class<T> kind) {
        return identifier
                .getSource()
                .filter(kind::isInstance)
                .map(kind::cast)
                .or(() -> plan.getParent(identifier).flatMap(parent -> around(plan, parent, kind)));
    }
}

package io.jenkins.plugins.tao.features;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.features.TestResult.End;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Notes how the tests with promises ended. Maven tells where by {@value #FILE}, and in which build by {@value #BUILD};
 * without them, as in an IDE, it does nothing.
 */
public final class PromiseListener implements TestExecutionListener {
    static final String FILE = "promises.file";
    static final String BUILD = "promises.build";

    private final Map<TestIdentifier, End> ends = new ConcurrentHashMap<>();

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        ends.put(identifier, End.SKIPPED);
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        ends.put(identifier, end(result.getStatus()));
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        String file = System.getProperty(FILE);
        if (file != null) {
            write(Path.of(file), System.getProperty(BUILD, ""), results(plan));
        }
    }

    /** The tests of {@code plan} that carry promises, those that never came to run as skipped. */
    List<TestResult> results(TestPlan plan) {
        Map<String, TestResult> byTest = new TreeMap<>();
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier identifier : plan.getDescendants(root)) {
                result(plan, identifier)
                        .ifPresent(found -> byTest.merge(found.test(), found, (one, other) -> one.and(other.end())));
            }
        }
        return new ArrayList<>(byTest.values());
    }

    private Optional<TestResult> result(TestPlan plan, TestIdentifier identifier) {
        Optional<MethodSource> method = around(plan, identifier, MethodSource.class);
        Optional<ClassSource> type = around(plan, identifier, ClassSource.class);
        if (method.isPresent()) {
            Set<String> ids =
                    Promises.of(method.get().getJavaClass(), method.get().getJavaMethod());
            return result(
                    plan, identifier, method.get().getJavaClass(), method.get().getMethodName(), ids);
        }
        if (type.isPresent() && identifier.isTest()) { // a test that is no method, such as a rule of ArchUnit
            Set<String> ids = Promises.of(type.get().getJavaClass(), null);
            return result(plan, identifier, type.get().getJavaClass(), identifier.getDisplayName(), ids);
        }
        return Optional.empty();
    }

    private Optional<TestResult> result(
            TestPlan plan, TestIdentifier identifier, Class<?> type, String name, Set<String> ids) {
        if (ids.isEmpty()) {
            return Optional.empty();
        }
        boolean needsJenkins = identifier.getTags().contains(TestTag.create(NeedsJenkins.TAG));
        return Optional.of(new TestResult(
                type.getSimpleName() + "." + name, List.copyOf(ids), end(plan, identifier), needsJenkins));
    }

    /** The nearest source of that kind, of the test itself or of what it lies in. */
    private static <T extends TestSource> Optional<T> around(TestPlan plan, TestIdentifier identifier, Class<T> kind) {
        return identifier
                .getSource()
                .filter(kind::isInstance)
                .map(kind::cast)
                .or(() -> plan.getParent(identifier).flatMap(parent -> around(plan, parent, kind)));
    }

    /** Its own end, made worse by whatever it lies in: a class that could not be set up ran none of its tests. */
    private End end(TestPlan plan, TestIdentifier identifier) {
        End own = ends.getOrDefault(identifier, End.SKIPPED);
        End outer = plan.getParent(identifier)
                .map(parent -> ends.getOrDefault(parent, End.PASSED))
                .orElse(End.PASSED);
        return own.compareTo(outer) >= 0 ? own : outer;
    }

    private static End end(Status status) {
        return switch (status) {
            case SUCCESSFUL -> End.PASSED;
            case ABORTED -> End.SKIPPED;
            case FAILED -> End.FAILED;
        };
    }

    private static void write(Path file, String build, List<TestResult> results) {
        List<String> lines = new ArrayList<>();
        try {
            if (Files.exists(file) && Files.readAllLines(file).contains(build)) {
                lines.addAll(Files.readAllLines(file)); // another run of the same build, as of failed tests again
            } else {
                lines.add(build);
            }
            results.forEach(result -> lines.add(result.render()));
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot note the promises of the tests in " + file, e);
        }
    }
}

package io.jenkins.plugins.tao.features;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Notes the names of the tests with promises that passed. Maven says where by {@value #FILE}, and in which build by
 * {@value #BUILD}; without them, as in an IDE, it does nothing.
 */
public final class PromiseListener implements TestExecutionListener {
    static final String FILE = "promises.file";
    static final String BUILD = "promises.build";

    private final Set<TestIdentifier> passed = ConcurrentHashMap.newKeySet();

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        if (result.getStatus() == Status.SUCCESSFUL) {
            passed.add(identifier);
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        String file = System.getProperty(FILE);
        if (file != null) {
            write(Path.of(file), System.getProperty(BUILD, ""), passed(plan));
        }
    }

    /** The tests of {@code plan} that carry promises and passed with all their parameters and repetitions. */
    List<String> passed(TestPlan plan) {
        Map<String, Boolean> tests = new TreeMap<>();
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier identifier : plan.getDescendants(root)) {
                PromisingTest.of(plan, identifier)
                        .ifPresent(test -> tests.merge(test.name(), passed(plan, identifier), Boolean::logicalAnd));
            }
        }
        return tests.keySet().stream().filter(tests::get).toList();
    }

    /** Whether it and all it lies in passed: a class that could not be set up ran none of its tests. */
    private boolean passed(TestPlan plan, TestIdentifier identifier) {
        return passed.contains(identifier)
                && plan.getParent(identifier)
                        .map(parent -> passed(plan, parent))
                        .orElse(true);
    }

    private static void write(Path file, String build, List<String> tests) {
        List<String> lines = new ArrayList<>();
        try {
            if (Files.exists(file) && Files.readAllLines(file).contains(build)) {
                lines.addAll(Files.readAllLines(file)); // another run of the same build, as of failed tests again
            } else {
                lines.add(build);
            }
            lines.addAll(tests);
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot note the promises of the tests in " + file, e);
        }
    }
}

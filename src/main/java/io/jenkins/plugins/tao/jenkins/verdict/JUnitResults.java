package io.jenkins.plugins.tao.jenkins.verdict;

import hudson.model.Run;
import hudson.model.TaskListener;
import hudson.tasks.junit.TestResult;
import hudson.tasks.junit.TestResultAction;
import java.io.File;
import java.io.IOException;

/** The one class that knows the plugin junit; loaded only where that is there. */
final class JUnitResults {
    private JUnitResults() {}

    /** Adds the cases of {@code report} to the test results of {@code build}, without a node and a workspace. */
    static void attach(Run<?, ?> build, TaskListener listener, File report) throws IOException {
        TestResult result = new TestResult();
        result.parse(report);
        result.tally();
        TestResultAction known = build.getAction(TestResultAction.class);
        if (known == null) {
            build.addAction(new TestResultAction(build, result, listener));
        } else {
            result.freeze(known);
            known.mergeResult(result, listener);
        }
        build.save();
    }
}

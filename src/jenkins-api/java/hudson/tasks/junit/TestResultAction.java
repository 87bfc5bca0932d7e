package hudson.tasks.junit;

import hudson.model.Action;
import hudson.model.Run;
import hudson.model.TaskListener;

@SuppressWarnings("rawtypes")
public class TestResultAction implements Action {
    public TestResultAction(Run owner, TestResult result, TaskListener listener) {}

    public void mergeResult(TestResult additionalResult, TaskListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getIconFileName() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getDisplayName() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getUrlName() {
        throw new UnsupportedOperationException();
    }
}

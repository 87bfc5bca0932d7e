package hudson.tasks.junit;

import java.io.File;
import java.io.IOException;

public final class TestResult {
    public TestResult() {}

    public void parse(File reportFile) throws IOException {
        throw new UnsupportedOperationException();
    }

    public void tally() {
        throw new UnsupportedOperationException();
    }

    public void freeze(TestResultAction parent) {
        throw new UnsupportedOperationException();
    }
}

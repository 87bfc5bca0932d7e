package io.jenkins.plugins.checks.api;

/** Signature alone. */
public class ChecksOutput {
    /** Makes one. */
    public static class ChecksOutputBuilder {
        public ChecksOutputBuilder() {}

        public ChecksOutputBuilder withTitle(String title) {
            throw new UnsupportedOperationException();
        }

        public ChecksOutputBuilder withSummary(String summary) {
            throw new UnsupportedOperationException();
        }

        public ChecksOutput build() {
            throw new UnsupportedOperationException();
        }
    }
}

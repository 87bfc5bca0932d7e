package io.jenkins.plugins.checks.api;

/** Signature alone. */
public class ChecksDetails {
    /** Makes one. */
    public static class ChecksDetailsBuilder {
        public ChecksDetailsBuilder() {}

        public ChecksDetailsBuilder withName(String name) {
            throw new UnsupportedOperationException();
        }

        public ChecksDetailsBuilder withStatus(ChecksStatus status) {
            throw new UnsupportedOperationException();
        }

        public ChecksDetailsBuilder withConclusion(ChecksConclusion conclusion) {
            throw new UnsupportedOperationException();
        }

        public ChecksDetailsBuilder withDetailsURL(String url) {
            throw new UnsupportedOperationException();
        }

        public ChecksDetailsBuilder withOutput(ChecksOutput output) {
            throw new UnsupportedOperationException();
        }

        public ChecksDetails build() {
            throw new UnsupportedOperationException();
        }
    }
}

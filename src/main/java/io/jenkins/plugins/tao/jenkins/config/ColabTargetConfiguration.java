package io.jenkins.plugins.tao.jenkins.config;

import io.jenkins.plugins.tao.backend.Target;

/** A target for Colab, as earlier versions saved it. Reading it fails, so that Jenkins drops it and shows the reason in Manage Old Data. */
final class ColabTargetConfiguration extends TargetConfiguration {
    private ColabTargetConfiguration() {
        super(""); // never called: XStream makes one without
    }

    /** Called by XStream. */
    @SuppressWarnings("DoNotCallSuggester") // no call of ours can be refused when it is compiled
    Object readResolve() {
        throw refusal();
    }

    @Override
    public Target toTarget(CredentialStore credentials) {
        throw refusal();
    }

    private IllegalArgumentException refusal() {
        return new IllegalArgumentException("The target '" + getName()
                + "' is dropped: no program can start a notebook on Colab. Use a target for Kaggle, or write a notebook"
                + " with './tao notebook colab JOB_FILE' and run it by hand.");
    }
}

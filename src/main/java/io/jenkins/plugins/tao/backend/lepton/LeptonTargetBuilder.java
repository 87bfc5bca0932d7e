package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Builds a {@link LeptonTarget} step by step; the checks are made by {@link #build}. */
public final class LeptonTargetBuilder {
    private final String name;
    private final String workspace;
    private final Secret token;
    private Optional<String> url = Optional.empty();
    private Optional<String> nodeGroup = Optional.empty();
    private Optional<String> resourceShape = Optional.empty();
    private List<String> mounts = List.of();
    private Optional<Secret> ngcKey = Optional.empty();
    private Optional<String> pullSecret = Optional.empty();
    private OptionalInt sharedMemory = OptionalInt.empty();
    private Optional<Duration> archiveAfter = Optional.empty();
    private Optional<String> failureAnalysis = Optional.empty();
    private Optional<S3Settings> s3 = Optional.empty();
    private Optional<HttpProxy> proxy = Optional.empty();

    LeptonTargetBuilder(String name, String workspace, Secret token) {
        this.name = name;
        this.workspace = workspace;
        this.token = token;
    }

    /** See {@link LeptonTarget#url}. */
    public LeptonTargetBuilder url(String value) {
        url = Optional.of(value);
        return this;
    }

    /** See {@link LeptonTarget#nodeGroup}. */
    public LeptonTargetBuilder nodeGroup(String value) {
        nodeGroup = Optional.of(value);
        return this;
    }

    /** See {@link LeptonTarget#resourceShape}. */
    public LeptonTargetBuilder resourceShape(String value) {
        resourceShape = Optional.of(value);
        return this;
    }

    /** See {@link LeptonTarget#mounts}. */
    public LeptonTargetBuilder mounts(List<String> value) {
        mounts = value;
        return this;
    }

    /** See {@link LeptonTarget#ngcKey}. */
    public LeptonTargetBuilder ngcKey(Secret value) {
        ngcKey = Optional.of(value);
        return this;
    }

    /** See {@link LeptonTarget#pullSecret}. */
    public LeptonTargetBuilder pullSecret(String value) {
        pullSecret = Optional.of(value);
        return this;
    }

    /** See {@link LeptonTarget#sharedMemory}. */
    public LeptonTargetBuilder sharedMemory(int value) {
        sharedMemory = OptionalInt.of(value);
        return this;
    }

    /** See {@link LeptonTarget#archiveAfter}. */
    public LeptonTargetBuilder archiveAfter(Duration value) {
        archiveAfter = Optional.of(value);
        return this;
    }

    /** See {@link LeptonTarget#failureAnalysis}. */
    public LeptonTargetBuilder failureAnalysis(String value) {
        failureAnalysis = Optional.of(value);
        return this;
    }

    /** See {@link LeptonTarget#s3}. */
    public LeptonTargetBuilder s3(S3Settings value) {
        s3 = Optional.of(value);
        return this;
    }

    /** See {@link LeptonTarget#proxy}. */
    public LeptonTargetBuilder proxy(Optional<HttpProxy> value) {
        proxy = value;
        return this;
    }

    /** Checks everything and makes the target. */
    public LeptonTarget build() {
        return new LeptonTarget(
                name,
                workspace,
                token,
                url,
                nodeGroup,
                resourceShape,
                mounts,
                ngcKey,
                pullSecret,
                sharedMemory,
                archiveAfter,
                failureAnalysis,
                s3,
                proxy);
    }
}

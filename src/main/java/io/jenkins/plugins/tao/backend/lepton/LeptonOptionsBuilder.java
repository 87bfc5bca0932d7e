package io.jenkins.plugins.tao.backend.lepton;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Builds {@link LeptonOptions} step by step; the checks are made by {@link #build}. */
public final class LeptonOptionsBuilder {
    private Optional<String> resourceShape = Optional.empty();
    private Optional<String> nodeGroup = Optional.empty();
    private List<String> nodes = List.of();
    private List<String> mounts = List.of();
    private OptionalInt sharedMemory = OptionalInt.empty();
    private Optional<Duration> archiveAfter = Optional.empty();
    private Optional<String> visibility = Optional.empty();
    private Optional<String> priority = Optional.empty();
    private Optional<Boolean> canBePreempted = Optional.empty();
    private Optional<Boolean> canPreempt = Optional.empty();
    private Optional<String> reservation = Optional.empty();
    private Map<String, String> secretRefs = Map.of();

    LeptonOptionsBuilder() {}

    /** See {@link LeptonOptions#resourceShape}. */
    public LeptonOptionsBuilder resourceShape(String value) {
        resourceShape = Optional.of(value);
        return this;
    }

    /** See {@link LeptonOptions#nodeGroup}. */
    public LeptonOptionsBuilder nodeGroup(String value) {
        nodeGroup = Optional.of(value);
        return this;
    }

    /** See {@link LeptonOptions#nodes}. */
    public LeptonOptionsBuilder nodes(List<String> value) {
        nodes = value;
        return this;
    }

    /** See {@link LeptonOptions#mounts}. */
    public LeptonOptionsBuilder mounts(List<String> value) {
        mounts = value;
        return this;
    }

    /** See {@link LeptonOptions#sharedMemory}. */
    public LeptonOptionsBuilder sharedMemory(int value) {
        sharedMemory = OptionalInt.of(value);
        return this;
    }

    /** See {@link LeptonOptions#archiveAfter}. */
    public LeptonOptionsBuilder archiveAfter(Duration value) {
        archiveAfter = Optional.of(value);
        return this;
    }

    /** See {@link LeptonOptions#visibility}. */
    public LeptonOptionsBuilder visibility(String value) {
        visibility = Optional.of(value);
        return this;
    }

    /** See {@link LeptonOptions#priority}. */
    public LeptonOptionsBuilder priority(String value) {
        priority = Optional.of(value);
        return this;
    }

    /** See {@link LeptonOptions#canBePreempted}. */
    public LeptonOptionsBuilder canBePreempted(boolean value) {
        canBePreempted = Optional.of(value);
        return this;
    }

    /** See {@link LeptonOptions#canPreempt}. */
    public LeptonOptionsBuilder canPreempt(boolean value) {
        canPreempt = Optional.of(value);
        return this;
    }

    /** See {@link LeptonOptions#reservation}. */
    public LeptonOptionsBuilder reservation(String value) {
        reservation = Optional.of(value);
        return this;
    }

    /** See {@link LeptonOptions#secretRefs}. */
    public LeptonOptionsBuilder secretRefs(Map<String, String> value) {
        secretRefs = value;
        return this;
    }

    /** Checks everything and makes the options. */
    public LeptonOptions build() {
        return new LeptonOptions(
                resourceShape,
                nodeGroup,
                nodes,
                mounts,
                sharedMemory,
                archiveAfter,
                visibility,
                priority,
                canBePreempted,
                canPreempt,
                reservation,
                secretRefs);
    }
}

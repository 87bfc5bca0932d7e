package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Refuses, with the reason and with what to use instead. */
final class ColabBackend implements Backend {
    private final String name;

    ColabBackend(String name) {
        this.name = name;
    }

    @Override
    public Report preflight(JobSpec spec) {
        List<Check> checks = new ArrayList<>();
        checks.add(Check.failed("backend", ColabShape.REASON, ColabShape.INSTEAD));
        checks.addAll(ColabShape.checks(spec));
        return new Report(checks);
    }

    private Rejected refusal() {
        return new Rejected("Target '" + name + "' cannot run a job. " + ColabShape.REASON, ColabShape.INSTEAD);
    }

    @Override
    public JobHandle submit(JobSpec spec, JobKey key) throws Rejected {
        throw refusal();
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes) throws Rejected {
        throw refusal();
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) {
        return Map.of();
    }

    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) {
        return Map.of();
    }

    @Override
    public void cancel(JobHandle job) {}

    @Override
    public Diagnosis diagnose(JobHandle job) {
        return Diagnosis.NONE;
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) {}

    @Override
    public void close() {}
}

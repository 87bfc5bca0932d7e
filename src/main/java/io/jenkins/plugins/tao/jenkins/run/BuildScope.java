package io.jenkins.plugins.tao.jenkins.run;

import hudson.EnvVars;
import hudson.model.Run;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.Targets;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.mask.Mask;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.io.Flushable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import jenkins.model.Jenkins;
import org.jenkinsci.plugins.workflow.flow.FlowExecution;
import org.jenkinsci.plugins.workflow.flow.FlowExecutionOwner;
import org.jenkinsci.plugins.workflow.steps.EnvironmentExpander;
import org.jenkinsci.plugins.workflow.steps.StepContext;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/**
 * The build that something is done for: its log, its credentials, its page. Never saved.
 *
 * @param run the build
 * @param listener its log
 * @param mask what its log must not show
 * @param bound the secrets that the step finds bound, as {@code withCredentials} binds them
 */
public record BuildScope(Run<?, ?> run, TaskListener listener, Mask mask, Collection<Secret> bound) {
    private static final Logger LOGGER = Logger.getLogger(BuildScope.class.getName());

    public BuildScope(Run<?, ?> run, TaskListener listener) {
        this(run, listener, Mask.NONE, List.of());
    }

    /** The build of a step. */
    public static BuildScope of(StepContext context) throws IOException, InterruptedException {
        Collection<Secret> bound = bound(context.get(EnvironmentExpander.class));
        return new BuildScope(context.get(Run.class), context.get(TaskListener.class), Mask.of(bound), bound);
    }

    private static Collection<Secret> bound(@Nullable EnvironmentExpander expander)
            throws IOException, InterruptedException {
        if (expander == null || expander.getSensitiveVariables().isEmpty()) {
            return List.of();
        }
        EnvVars variables = new EnvVars();
        expander.expand(variables);
        variables.keySet().retainAll(expander.getSensitiveVariables());
        return variables.values().stream()
                .filter(value -> !value.isBlank())
                .map(Secret::of)
                .toList();
    }

    /**
     * The same build, whose log shows no secret of {@code target}'s jobs, and none of {@code own}.
     *
     * @throws IllegalArgumentException if the target or a credential of it is missing: the log could not be masked
     */
    BuildScope hiding(String target, Collection<Secret> own) {
        List<Secret> values = new ArrayList<>(bound);
        values.addAll(own);
        values.addAll(reach().named(target).secretsOfJobs(CredentialStore.of(run)));
        return new BuildScope(run, listener, Mask.of(values), bound);
    }

    /** The same build, which hides too what an earlier step had bound that sent the job {@code key} or the one it repeats. */
    BuildScope repeating(JobKey key) {
        Set<Secret> all = new LinkedHashSet<>(bound);
        all.addAll(live().bound());
        all.addAll(JobRequests.bound(run, key));
        return all.size() == bound.size() ? this : new BuildScope(run, listener, Mask.of(all), all);
    }

    /** Writes one line to the build log. */
    public void say(String line) {
        listener.getLogger().println("[tao] " + mask.apply(line));
    }

    /** Writes one line of a job's own log. */
    void echo(String line) {
        listener.getLogger().println(mask.apply(line));
    }

    /** The build log, to flush it. */
    Flushable log() {
        return listener.getLogger();
    }

    private Targets reach() {
        return Targets.of(run.getParent());
    }

    /** Whether a target of this name is in reach of the build. */
    boolean reaches(String name) {
        return reach().has(name);
    }

    /** The target of a job that this build may have sent already. */
    Target target(String name) {
        return reach().named(name).toTarget(CredentialStore.of(run));
    }

    /**
     * The kind of a target that a job is to be sent to. Looks up credentials, so it may block for a while.
     *
     * @throws IllegalArgumentException if this build may not use it
     */
    public BackendType kind(String target) {
        return TaoRuntime.dispatcher().types().of(usableTarget(target));
    }

    /**
     * The target of a job that is to be sent.
     *
     * @throws IllegalArgumentException if this build may not use it
     */
    Target usableTarget(String name) {
        return reach().usable(name, identity()).toTarget(CredentialStore.of(run));
    }

    /**
     * The target of a job that somebody has sent.
     *
     * @throws IllegalArgumentException if this build may not use it, and the job is not one of its own
     */
    Target target(JobHandle job) {
        return target(job.target(), List.of(job));
    }

    /** The same for several jobs of one target, with one look-up of its credentials. */
    Target target(String name, Collection<JobHandle> jobs) {
        boolean own =
                jobs.stream().allMatch(job -> page().job(job.key().value()).isPresent());
        return own ? target(name) : usableTarget(name);
    }

    /** As whom the build runs. On the thread of the build for one that is no Pipeline. */
    private @Nullable Authentication identity() {
        if (run instanceof FlowExecutionOwner.Executable pipeline) {
            FlowExecutionOwner owner = pipeline.asFlowExecutionOwner();
            FlowExecution execution = owner == null ? null : owner.getOrNull();
            if (execution != null) {
                return execution.getAuthentication2();
            }
        }
        return Jenkins.getAuthentication2();
    }

    /** The values of secrets whose credential ids are given by variable. */
    Map<String, Secret> secrets(Map<String, String> credentialIds) {
        return CredentialStore.of(run).secrets(credentialIds);
    }

    /**
     * Asks for the end of a job; one that has ended already is fine. A target that does not answer is asked again until it
     * confirms, also after this build and this controller have ended. Blocks on the network.
     */
    public void cancel(JobHandle job) throws BackendException {
        try {
            TaoRuntime.dispatcher().cancel(target(job), job, "taoCancel in " + run.getExternalizableId());
            owned(job, JobOwner.CANCEL);
            say("asked for the end of " + job.shortName());
        } catch (BackendException.Unreachable e) {
            pursue(job, "taoCancel in " + run.getExternalizableId());
            say(job.shortName() + " is cancelled once " + job.target() + " answers: " + e.getMessage());
        }
    }

    /** Asks for the end of a job that this build gives up, until it is confirmed. Returns at once. */
    public void abandon(JobHandle job, String by) {
        say(job.shortName() + " is to end: " + by);
        pursue(job, by);
    }

    /** The same for several jobs, which the log has named already. */
    void abandonAll(List<JobHandle> jobs, String by) {
        jobs.forEach(job -> pursue(job, by));
    }

    private void pursue(JobHandle job, String by) {
        owned(job, JobOwner.CANCEL);
        CancelRequests.get().pursue(run.getExternalizableId(), job, by);
    }

    /** Leaves a job to whoever has its token. */
    void leave(JobHandle job) {
        owned(job, JobOwner.LEFT);
        say(job.shortName() + " continues; taoWait watches it again with " + job.token());
    }

    private void owned(JobHandle job, JobOwner owner) {
        page().update(job.key().value(), record -> record.ownedBy(owner));
    }

    /** Shows a job on the page of the build; a full disk must not end a watch. */
    void show(JobRecord job) {
        try {
            page().add(job);
        } catch (UncheckedIOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not save " + job.getId() + " of " + run.getExternalizableId());
        }
    }

    /** Whether this build has seen the job succeed. */
    public boolean succeeded(JobHandle job) {
        return page().job(job.key().value())
                .filter(record -> record.getState().equals("SUCCESS"))
                .isPresent();
    }

    /** Makes this controller the holder of a job, whoever held it. Blocks on the network. */
    public void takeOver(JobHandle job) throws BackendException {
        TaoRuntime.dispatcher().takeOver(target(job), job);
        say(job.shortName() + " is held by this controller from now on");
    }

    TaoRunAction page() {
        return TaoRunAction.of(run);
    }

    /** Writes what preflight found to the build log: each check that did not pass, with its remedy. */
    void show(String target, Report report) {
        long passed = report.checks().stream()
                .filter(check -> check.verdict() == Report.Verdict.PASSED)
                .count();
        say("preflight of " + target + ": " + passed + " of " + report.checks().size() + " checks passed");
        report.checks().stream()
                .filter(check -> check.verdict() != Report.Verdict.PASSED)
                .forEach(check -> say("  " + check.verdict() + " " + check.name() + ": "
                        + Sentences.join(check.detail(), check.remedy())));
    }

    /** Reports it to other plugins and to the blocks of this build. */
    void happened(TaoEvent.Kind kind, JobHandle job) {
        live().happened(TaoEvent.of(kind, this, job));
    }

    /** The same of how a job ended. */
    void ended(TaoResult result) {
        live().happened(TaoEvent.ended(this, result));
    }

    /** The same of what a gate decided about {@code kpi}. */
    public void judged(String kpi, Map<String, String> answer) {
        Map<String, String> gate = new LinkedHashMap<>(answer);
        gate.put("kpi", kpi);
        live().happened(TaoEvent.gate(this, gate));
    }

    /**
     * Takes the one confirming run of the job {@code id} in this build, until {@link #confirmed}. Of several threads one gets it.
     *
     * @return empty for who gets it; for others what is done once that run is settled
     */
    public Optional<CompletableFuture<Void>> confirm(String id) {
        return live().confirm(id);
    }

    /** The confirming run of the job {@code id} is settled, or was never started. */
    public void confirmed(String id) {
        live().confirmed(id);
    }

    /** What steps do just now for this build. */
    LiveBuilds.LiveBuild live() {
        return LiveBuilds.get().of(run);
    }
}

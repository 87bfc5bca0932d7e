package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Run;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.CredentialStore;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Mask;
import io.jenkins.plugins.tao.job.Secret;
import java.io.Flushable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import jenkins.model.Jenkins;

/**
 * The build that something is done for: its log, its credentials, its page. Never saved.
 *
 * @param run the build
 * @param listener its log
 * @param mask what its log must not show
 */
public record BuildScope(Run<?, ?> run, TaskListener listener, Mask mask) {
    private static final Logger LOGGER = Logger.getLogger(BuildScope.class.getName());

    public BuildScope(Run<?, ?> run, TaskListener listener) {
        this(run, listener, Mask.NONE);
    }

    /** The same build, whose log shows no secret of {@code target}'s jobs, and none whose credential id is given by variable. */
    BuildScope hiding(String target, Map<String, String> credentialIds) {
        CredentialStore store = CredentialStore.of(run);
        List<Secret> values = new ArrayList<>(found(
                "the secrets of " + target,
                () -> TaoGlobalConfiguration.get().target(target).secretsOfJobs(store)));
        credentialIds.values().forEach(id -> values.addAll(found(id, () -> List.of(store.secret(id)))));
        return new BuildScope(run, listener, Mask.of(values));
    }

    /** A secret that is gone hides no other. */
    private List<Secret> found(String what, Supplier<List<Secret>> secrets) {
        try {
            return secrets.get();
        } catch (IllegalArgumentException e) {
            LOGGER.log(Level.FINE, e, () -> "cannot mask '" + what + "' in " + run.getExternalizableId());
            return List.of();
        }
    }

    /** Writes one line to the build log. */
    void say(String line) {
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

    Target target(String name) {
        return TaoGlobalConfiguration.get().target(name).toTarget(CredentialStore.of(run));
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
            TaoRuntime.dispatcher().cancel(target(job.target()), job);
            say("asked for the end of " + job.shortName());
        } catch (BackendException.Unreachable e) {
            CancelWishes.get().pursue(run.getExternalizableId(), job, "taoCancel in " + run.getExternalizableId());
            say(job.shortName() + " is cancelled once " + job.target() + " answers: " + e.getMessage());
        }
    }

    /** Wishes the end of a job that this build leaves; asked for until it is confirmed. Returns at once. */
    public void abandon(JobHandle job, String by) {
        say(job.shortName() + " is to end: " + by);
        CancelWishes.get().pursue(run.getExternalizableId(), job, by);
    }

    /** Makes this controller the holder of a job, whoever held it. Blocks on the network. */
    public void takeOver(JobHandle job) throws BackendException {
        TaoRuntime.dispatcher().takeOver(target(job.target()), job);
        say(job.shortName() + " is held by this controller from now on");
    }

    /** How many jobs this build has had. */
    public int jobsSoFar() {
        return page().getJobs().size();
    }

    TaoRunAction page() {
        return TaoRunAction.of(run);
    }

    /** Saves the build with its page; a full disk must not end a watch. */
    void save() {
        try {
            run.save();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not save " + run.getExternalizableId());
        }
    }

    /** What tells this controller and build from all others. */
    String[] origin(String place) {
        return new String[] {Jenkins.get().getLegacyInstanceId(), run.getExternalizableId(), place};
    }
}

package io.jenkins.plugins.tao.jenkins.page;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import lombok.Getter;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.export.Exported;
import org.kohsuke.stapler.export.ExportedBean;

/**
 * One job of a build, as its page shows it and as it is saved beside the build: texts only. Never changed. Version 0.1 saved
 * it in {@code build.xml}: there only the token, the state, the detail, the secrets and where it was submitted are set.
 */
@ExportedBean(defaultVisibility = 2)
public final class JobRecord implements Serializable, Cloneable {
    private static final long serialVersionUID = 1L;

    /** The text that finds the job again; empty until its target has answered the submission. */
    @Getter(onMethod_ = @Exported)
    private String token = "";

    /** The backend's word, and in the end the outcome. */
    @Getter(onMethod_ = @Exported)
    private String state = "";

    /** One line: progress, the machines, or why it ended so. */
    @Getter(onMethod_ = @Exported)
    private String detail = "";

    private LinkedHashMap<String, String> secrets = new LinkedHashMap<>();
    /** Whether this build submitted it, and so can start it again with all it had, or adopted it after its end. */
    @Getter
    private boolean submittedHere;

    private @Nullable String id;
    private @Nullable String target;
    private @Nullable String progress;
    private @Nullable String owner;
    private boolean leave;
    private transient JobFacts facts = JobFacts.NONE;
    private transient volatile @Nullable JobHandle handle;

    private JobRecord() {}

    private JobRecord copy() {
        try {
            return (JobRecord) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("every record can be copied", e);
        }
    }

    /**
     * A job that the build is about to submit: recorded before anything is sent.
     *
     * @param secrets the ids of the credentials its secret variables come from, by variable; never their values
     * @param leave whether the job goes on when the build fails or is aborted
     */
    public static JobRecord intended(JobKey key, String target, Map<String, String> secrets, boolean leave) {
        JobRecord record = new JobRecord();
        record.id = key.value();
        record.target = target;
        record.state = "SUBMITTING";
        record.secrets = new LinkedHashMap<>(secrets);
        record.submittedHere = true;
        record.leave = leave;
        return record;
    }

    /** A job that the build takes up by its token; which credentials its secrets came from is not known here. */
    public static JobRecord takenUp(JobHandle job) {
        return new JobRecord().now(job, "SUBMITTED", "");
    }

    /** A record of this id with nothing else in it; what was saved is laid over it. */
    static JobRecord blank(String id) {
        JobRecord record = new JobRecord();
        record.id = id;
        return record;
    }

    /** The same job, in this state. */
    public JobRecord now(JobHandle job, String newState, String newDetail) {
        JobRecord next = now(newState, newDetail);
        next.token = job.token();
        next.handle = job;
        next.id = job.key().value();
        next.target = job.target();
        return next;
    }

    /** The same job in this state, whatever its token. */
    public JobRecord now(String newState, String newDetail) {
        JobRecord next = copy();
        next.state = newState;
        next.detail = newDetail;
        return next;
    }

    /** The same job with its newest progress. */
    public JobRecord advanced(String line) {
        JobRecord next = copy();
        next.progress = line;
        return next;
    }

    /** The same job of which {@code more} is known; a blank text is known no more. */
    public JobRecord knowing(Map<String, String> more) {
        JobRecord next = copy();
        next.facts = facts().with(more);
        return next;
    }

    /** What is known of it; nothing where version 0.1 saved it. */
    JobFacts facts() {
        return Objects.requireNonNullElse(facts, JobFacts.NONE);
    }

    /** The same job, looked after by {@code owner} from now on. */
    public JobRecord ownedBy(JobOwner newOwner) {
        JobRecord next = copy();
        next.owner = newOwner.name();
        return next;
    }

    /** The same job, from now on as if this build had submitted it: it is watched again after a restart. */
    public JobRecord adopted() {
        JobRecord next = copy();
        next.submittedHere = true;
        return next;
    }

    /** The same with texts that were saved; see {@link JobLines}. */
    JobRecord with(String savedToken, String savedTarget, boolean here, boolean leaves, Map<String, String> ids) {
        JobRecord next = copy();
        next.token = savedToken;
        next.target = savedTarget;
        next.submittedHere = here;
        next.leave = leaves;
        next.secrets = new LinkedHashMap<>(ids);
        next.handle = null;
        return next;
    }

    /** Whether the job goes on when the build fails or is aborted. */
    public boolean survivesBuild() {
        return leave;
    }

    /** Who looks after the job. Version 0.1 did not say: there a job with an outcome has ended. */
    public JobOwner owner() {
        String saved = owner;
        if (saved == null) {
            return JobOwner.ofState(state);
        }
        return JobOwner.valueOf(saved);
    }

    /** The ids of credentials by variable. */
    public Map<String, String> secrets() {
        return Map.copyOf(secrets);
    }

    /** Finds the job again; empty until its target has answered the submission. */
    public Optional<JobHandle> handle() {
        JobHandle parsed = handle;
        if (parsed == null && !token.isEmpty()) {
            parsed = JobHandle.parse(token);
            handle = parsed;
        }
        return Optional.ofNullable(parsed);
    }

    /** The job's id, the same for all attempts. */
    @Exported
    public String getId() {
        String known = id;
        return known == null ? handle().map(job -> job.key().value()).orElse("") : known;
    }

    @Exported
    public String getTarget() {
        String known = target;
        return known == null ? handle().map(JobHandle::target).orElse("") : known;
    }

    /** The backend's own id of the last attempt; empty until it is known. */
    @Exported
    public String getNativeId() {
        return handle().map(JobHandle::nativeId).orElse("");
    }

    @Exported
    public int getAttempt() {
        return handle().map(JobHandle::attempt).orElse(1);
    }

    @Exported
    public String getResultsDir() {
        return handle().map(JobHandle::resultsDirectory).orElse("");
    }

    /** What else is known, by name: {@code phase}, {@code startedAt}, {@code endedAt}, {@code exitCode}, {@code kpi/NAME} and so on. */
    @Exported
    public Map<String, String> getFacts() {
        return facts().texts();
    }

    /** The newest progress; empty when none was told. */
    @Exported
    public String getProgress() {
        String known = progress;
        return known == null ? "" : known;
    }
}

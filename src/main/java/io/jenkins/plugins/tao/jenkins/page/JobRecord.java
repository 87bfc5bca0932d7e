package io.jenkins.plugins.tao.jenkins.page;

import io.jenkins.plugins.tao.job.JobHandle;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.kohsuke.stapler.export.Exported;
import org.kohsuke.stapler.export.ExportedBean;

/** One job of a build, as its page shows it and as it is saved with the build: texts only. Never changed. */
@ExportedBean(defaultVisibility = 2)
public final class JobRecord implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String token;
    private final String state;
    private final String detail;
    private final LinkedHashMap<String, String> secrets;
    private final boolean submittedHere;

    private JobRecord(String token, String state, String detail, Map<String, String> secrets, boolean submittedHere) {
        this.token = token;
        this.state = state;
        this.detail = detail;
        this.secrets = new LinkedHashMap<>(secrets);
        this.submittedHere = submittedHere;
    }

    /**
     * A job that the build has just submitted.
     *
     * @param secrets the ids of the credentials its secret variables come from, by variable; never their values
     */
    public static JobRecord submitted(JobHandle job, Map<String, String> secrets) {
        return new JobRecord(job.token(), "SUBMITTED", "", secrets, true);
    }

    /** A job that the build takes up by its token; which credentials its secrets came from nobody knows here. */
    public static JobRecord takenUp(JobHandle job) {
        return new JobRecord(job.token(), "SUBMITTED", "", Map.of(), false);
    }

    /** The same job, in this state. */
    public JobRecord now(JobHandle job, String newState, String newDetail) {
        return new JobRecord(job.token(), newState, newDetail, secrets, submittedHere);
    }

    /** Whether this build submitted it, and so can start it anew with all it had. */
    public boolean isSubmittedHere() {
        return submittedHere;
    }

    /** The ids of credentials by variable. */
    public Map<String, String> secrets() {
        return Map.copyOf(secrets);
    }

    private JobHandle handle() {
        return JobHandle.parse(token);
    }

    /** The job's id, the same for all attempts. */
    @Exported
    public String getId() {
        return handle().key().value();
    }

    @Exported
    public String getTarget() {
        return handle().target();
    }

    /** The backend's own id of the last attempt. */
    @Exported
    public String getNativeId() {
        return handle().nativeId();
    }

    @Exported
    public int getAttempt() {
        return handle().attempt();
    }

    @Exported
    public String getResultsDir() {
        return handle().resultsDirectory();
    }

    /** The text that finds the job again. */
    @Exported
    public String getToken() {
        return token;
    }

    /** The backend's word, and in the end the outcome. */
    @Exported
    public String getState() {
        return state;
    }

    /** One line: progress, the machines, or why it ended so. */
    @Exported
    public String getDetail() {
        return detail;
    }
}

package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.job.JobHandle;
import java.io.Serializable;
import lombok.Getter;
import lombok.RequiredArgsConstructor;
import org.jenkinsci.plugins.scriptsecurity.sandbox.whitelists.Whitelisted;

/** A submitted job in the hands of a Pipeline; holds only its token. */
@RequiredArgsConstructor
public final class TaoJob implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The text that finds the job again, in this build or any other. */
    @Getter(onMethod_ = @Whitelisted)
    private final String token;

    private JobHandle handle() {
        return JobHandle.parse(token);
    }

    /** The job's id, the same for all attempts. */
    @Whitelisted
    public String getId() {
        return handle().key().value();
    }

    /** Where the job writes its results. */
    @Whitelisted
    public String getResultsDir() {
        return handle().resultsDirectory();
    }

    /** The backend's own id of the first attempt, such as a Slurm job id. */
    @Whitelisted
    public String getNativeId() {
        return handle().nativeId();
    }

    /** The name of the target that runs it. */
    @Whitelisted
    public String getTarget() {
        return handle().target();
    }

    @Override
    @Whitelisted
    public String toString() {
        return token;
    }
}

package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Run;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.Serializable;
import java.util.UUID;
import jenkins.model.Jenkins;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/**
 * What tells one submission from every other one, of this build or any other. It is saved with the build before anything is
 * sent. It is random, since names and numbers of jobs and builds come again: after a deletion, a renaming, a restored backup.
 */
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
public final class SubmissionId implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String jobName;
    private final String unique;

    /** A new one, for a submission of {@code run}. */
    public static SubmissionId fresh(Run<?, ?> run) {
        return new SubmissionId(run.getParent().getName(), UUID.randomUUID().toString());
    }

    /** The one of a submission that version 0.1 began, and which may have been sent under it. */
    public static SubmissionId ofVersion01(Run<?, ?> run, String place) {
        String origin = String.join("\n", Jenkins.get().getLegacyInstanceId(), run.getExternalizableId(), place);
        return new SubmissionId(run.getParent().getName(), origin);
    }

    /** The job's key: the same for each process that goes on with this submission. */
    JobKey key(JobRequest request) {
        String name = FormText.text(request.getName()).orElse(jobName);
        return isOfVersion01() ? JobKey.ofAscii(name, unique) : JobKey.derive(name, unique);
    }

    /** Its ids kept the letters of ASCII alone. */
    private boolean isOfVersion01() {
        return unique.indexOf('\n') >= 0;
    }
}

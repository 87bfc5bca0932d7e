package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.jenkins.config.JobOptionsConfiguration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a user asks for, as text; see the help of {@code taoSubmit} for each. */
public interface JobRequest {
    String getTarget();

    /** Several targets in their order, in place of {@link #getTarget}. */
    String getTargets();

    /** {@code given} or {@code wait}; empty for the first. */
    String getTargetOrder();

    /** The token of the job that must succeed first. */
    String getAfter();

    /**
     * The same for one target, after no job.
     *
     * @param inherited what the placeholders of the job before it stand for, by their names
     */
    JobRequest on(String target, Map<String, String> inherited);

    /** What the placeholders of a job before it stand for; the job can be sent again when that one is long gone. */
    Map<String, String> inherited();

    String getCommand();

    /** Runs on each node before the command; empty for nothing. */
    String getPre();

    /** Runs on each node after the command; empty for nothing. */
    String getPost();

    /** What a person calls the job; empty for the name of the Jenkins job. */
    String getName();

    String getImage();

    /** GPUs on each machine, a whole number. */
    String getGpus();

    String getNodes();

    /** Processor cores on each machine. */
    String getCpus();

    /** A length of time such as {@code 4h}. */
    String getTimeLimit();

    /** How long it may wait for machines. */
    String getStartWithin();

    /** What failed attempts may use together before none is started any more; empty for no limit. */
    String getRetryBudget();

    /** YAML: variable to value. */
    String getEnv();

    /** YAML: variable to credential id. */
    String getSecrets();

    String getInputs();

    /** Paths in the container, each with a destination or without. */
    String getOutputs();

    /** YAML: the experiment spec. */
    String getSpec();

    /** The path of the spec in the workspace, until it is read into {@link #getSpec}. */
    String getSpecFile();

    /** YAML: path of a value of the spec to value. */
    String getSet();

    /** YAML: option of the command to value. */
    String getArgs();

    /** {@code auto}, {@code never} or a path; empty for the first. */
    String getResume();

    /** Such as {@code last 2, highest val_mAP50}; empty to keep all. */
    String getKeepCheckpoints();

    /** The path of a directory of the workspace whose files the command starts in, or YAML: git, commit, credentialsId. */
    String getCode();

    /** The id of these files, once they were read. */
    String getCodeId();

    /** {@code yaml}, {@code json} or {@code toml}; empty for YAML. */
    String getSpecFormat();

    String getResultsDir();

    /** How long a submission without an answer is tried; a length of time, empty for one hour. */
    String getGiveUpAfter();

    /** What becomes of the job when the build fails or is aborted: {@code cancel} or {@code detach}; empty for the first. */
    String getOnAbort();

    /** What it confirms; null for a job of its own. */
    @Nullable
    Confirming getConfirming();

    @Nullable
    JobOptionsConfiguration getOptions();

    /** What its record says of its origin besides the build, such as the cell of a sweep; by the names of {@code RunOrigin}. */
    Map<String, String> originFacts();
}

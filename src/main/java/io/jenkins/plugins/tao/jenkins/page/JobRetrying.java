package io.jenkins.plugins.tao.jenkins.page;

import hudson.ExtensionPoint;
import hudson.model.Run;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;

/** Runs a job of a build again when a person asks for it on a page; there is one of it. */
public interface JobRetrying extends ExtensionPoint {
    /**
     * Asks for the same again as another job of the build, which has ended, and watches that to its end. Returns before the target
     * has it; the page of the new job tells what becomes of it.
     *
     * @param by who asks, for people
     * @return the new job
     * @throws IllegalArgumentException if it is not known what was asked for, or the build may not use the target
     */
    JobKey retry(Run<?, ?> run, JobRecord job, String by) throws IOException;
}

package io.jenkins.plugins.tao.jenkins.page;

import hudson.ExtensionPoint;
import hudson.model.Run;

/** Ends a job of a build when a person asks for it on a page; there is one of it. */
public interface JobCancelling extends ExtensionPoint {
    /**
     * Asks for the end of a job, again and again until its target confirms it. Returns at once.
     *
     * @param by who asks, for people
     */
    void cancel(Run<?, ?> run, JobRecord job, String by);
}

package io.jenkins.plugins.tao.jenkins.page;

import hudson.model.Action;
import hudson.model.Job;
import java.io.IOException;
import lombok.Getter;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerResponse2;

/** What the runs of a job cost, at {@code job/NAME/tao-cost/}, and as {@code …/csv} and {@code …/json}, where {@code ?by=month,user} groups them; for
 * users who may read the job. */
public final class JobCost implements Action {
    private static final String USUAL = "target,month";

    /** The job, for links. */
    @Getter
    private final Job<?, ?> job;

    JobCost(Job<?, ?> job) {
        this.job = job;
    }

    /** The table of the page, as plain text. */
    public String getTable() throws IOException {
        return CostReport.of(job, USUAL).text();
    }

    /** Comma-separated values. */
    public void doCsv(@QueryParameter @Nullable String by, StaplerResponse2 response) throws IOException {
        CostReport.csv(CostReport.of(job, CostReport.asked(by, USUAL)).csv(), "tao-cost.csv", response);
    }

    /** A list of objects. */
    public void doJson(@QueryParameter @Nullable String by, StaplerResponse2 response) throws IOException {
        CostReport.json(CostReport.of(job, CostReport.asked(by, USUAL)), response);
    }

    @Override
    public @Nullable String getIconFileName() {
        return null;
    }

    @Override
    public @Nullable String getDisplayName() {
        return null;
    }

    @Override
    public String getUrlName() {
        return "tao-cost";
    }
}

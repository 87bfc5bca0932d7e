package io.jenkins.plugins.tao.jenkins.page;

import hudson.model.Job;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.util.List;
import lombok.Getter;

/** What the runs of a job cost that have ended, at {@code job/NAME/tao-cost/}, for users who may read the job; they go along when it is renamed. */
public final class JobCost extends CostPage {
    /** The job, for links. */
    @Getter
    private final Job<?, ?> job;

    JobCost(Job<?, ?> job) {
        super("target,month");
        this.job = job;
    }

    /** The table of the page, as plain text. */
    public String getTable() throws IOException {
        return table(null).text();
    }

    @Override
    List<RunRecord> runs() throws IOException {
        return new RunHistory(job.getRootDir().toPath().resolve("tao")).read().records();
    }
}

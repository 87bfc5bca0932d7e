package io.jenkins.plugins.tao.jenkins.trend;

import hudson.model.Action;
import hudson.model.Job;
import io.jenkins.plugins.tao.jenkins.page.TaggedJson;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import java.io.IOException;
import java.util.List;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;

/** The trends of a Jenkins job: a chart on its page, all of them and a table on their own. */
public final class JobTrend implements Action {
    private final Job<?, ?> job;

    JobTrend(Job<?, ?> job) {
        this.job = job;
    }

    /** The job, for links. */
    public Job<?, ?> getJob() {
        return job;
    }

    private Trend trend() throws IOException {
        return Trend.of(
                JobHistory.of(job).read().records(),
                JobHistory.baselines(job).read().newest());
    }

    /** The nights as rows of a table, the newest first. */
    public List<TrendNight> getNights() throws IOException {
        return trend().newestFirst();
    }

    /** {@code tao/trend}: the points, baselines and limits as JSON. */
    public void doTrend(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        new TaggedJson(trend().json().toString()).answer(request, response);
    }

    @Override
    public String getIconFileName() {
        return "symbol-trending-up plugin-ionicons-api";
    }

    @Override
    public String getDisplayName() {
        return Messages.Trend_displayName();
    }

    @Override
    public String getUrlName() {
        return "tao";
    }
}

package io.jenkins.plugins.tao.jenkins.trend;

import hudson.model.Action;
import hudson.model.Job;
import io.jenkins.plugins.tao.jenkins.page.CostPage;
import io.jenkins.plugins.tao.jenkins.page.TaggedJson;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import lombok.Getter;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;

/** The trends of a Jenkins job: a chart on its page, all of them and a table on their own. */
public final class JobTrend implements Action {
    /** The job, for links. */
    @Getter
    private final Job<?, ?> job;

    JobTrend(Job<?, ?> job) {
        this.job = job;
    }

    private Trend trend() throws IOException {
        Path builds = job.getBuildDir().toPath();
        return Trend.of(
                JobHistory.of(job).read().records(),
                JobHistory.baselines(job).read().all(),
                JobHistory.verdicts(job).read(),
                number -> Files.isDirectory(builds.resolve("" + number)) ? job.getUrl() + number + "/" : "");
    }

    /** The builds as rows of a table, the newest first. */
    public List<TrendBuild> getBuilds() throws IOException {
        return trend().newestFirst();
    }

    /** {@code tao/trend}: points, levels, limits and marks as JSON; {@code ?most=2} gives the first charts alone. */
    public void doTrend(@QueryParameter @Nullable String most, StaplerRequest2 request, StaplerResponse2 response)
            throws IOException {
        int charts = most != null && most.matches("\\d{1,4}") ? Integer.parseInt(most) : Integer.MAX_VALUE;
        new TaggedJson(trend().json(charts).toString()).answer(request, response);
    }

    /** {@code tao/csv}: the same points as a file of comma-separated values. */
    public void doCsv(StaplerResponse2 response) throws IOException {
        CostPage.csv(trend().csv(), "tao-trend.csv", response);
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

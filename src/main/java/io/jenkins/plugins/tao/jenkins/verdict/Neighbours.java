package io.jenkins.plugins.tao.jenkins.verdict;

import hudson.model.Item;
import hudson.model.ItemGroup;
import hudson.model.Job;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The other jobs of the same folder, as far as the build may see them: who reads a build's log mostly sees its folder too. */
final class Neighbours {
    private static final Logger LOGGER = Logger.getLogger(Neighbours.class.getName());
    private static final int MOST_JOBS = 50;

    private Neighbours() {}

    /** Their records; a history that cannot be read is passed over. */
    static List<RunRecord> records(Job<?, ?> job) {
        List<RunRecord> records = new ArrayList<>();
        jobs(job).forEach(other -> records.addAll(records(job, other)));
        return records;
    }

    /** The other jobs with records, fifty at most. */
    static List<Job<?, ?>> jobs(Job<?, ?> job) {
        List<Job<?, ?>> found = new ArrayList<>();
        ItemGroup<?> group = job.getParent();
        for (Item item : group.getItems()) {
            if (item instanceof Job<?, ?> other
                    && found.size() < MOST_JOBS
                    && !other.getFullName().equals(job.getFullName())
                    && JobHistory.isThere(other)) {
                found.add(other);
            }
        }
        return found;
    }

    private static List<RunRecord> records(Job<?, ?> job, Job<?, ?> other) {
        try {
            return JobHistory.of(other).read().records();
        } catch (IOException e) {
            LOGGER.log(
                    Level.WARNING,
                    e,
                    () -> "the records of " + other.getFullName() + " cannot be read for " + job.getFullName());
            return List.of();
        }
    }
}

package io.jenkins.plugins.tao.jenkins.trend;

import hudson.Extension;
import hudson.model.Action;
import hudson.model.Job;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import java.util.Collection;
import java.util.List;
import jenkins.model.TransientActionFactory;

/** Gives each Jenkins job whose builds left records its trends, also while all of its builds fail. */
@Extension
public final class TrendActions extends TransientActionFactory<Job<?, ?>> {
    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no class of Job<?, ?>
    public Class<Job<?, ?>> type() {
        return (Class) Job.class;
    }

    @Override
    public Class<? extends Action> actionType() {
        return JobTrend.class;
    }

    @Override
    public Collection<? extends Action> createFor(Job<?, ?> job) {
        return JobHistory.isThere(job) ? List.of(new JobTrend(job)) : List.of();
    }
}

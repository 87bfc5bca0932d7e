package io.jenkins.plugins.tao.jenkins.page;

import hudson.Extension;
import hudson.model.Action;
import hudson.model.Job;
import java.util.Collection;
import java.util.List;
import jenkins.model.TransientActionFactory;

/** Gives each job the address of what its runs cost. */
@Extension
public final class JobCosts extends TransientActionFactory<Job<?, ?>> {
    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no class of Job<?, ?>
    public Class<Job<?, ?>> type() {
        return (Class) Job.class;
    }

    @Override
    public Class<? extends Action> actionType() {
        return JobCost.class;
    }

    @Override
    public Collection<? extends Action> createFor(Job<?, ?> job) {
        return List.of(new JobCost(job));
    }
}

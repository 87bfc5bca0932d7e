package io.jenkins.plugins.tao.jenkins.admin;

import hudson.Extension;
import hudson.ExtensionList;
import hudson.model.AsyncPeriodicWork;
import hudson.model.TaskListener;
import io.jenkins.plugins.tao.jenkins.run.Orphans;
import java.time.Duration;
import java.util.logging.Level;

/** Searches the targets for orphans each hour, on a thread of its own. */
@Extension
public final class OrphanSearch extends AsyncPeriodicWork {
    /** With a thread that is called so. */
    public OrphanSearch() {
        super("TAO jobs without a build");
    }

    static OrphanSearch get() {
        return ExtensionList.lookupSingleton(OrphanSearch.class);
    }

    @Override
    public long getRecurrencePeriod() {
        return Duration.ofHours(1).toMillis();
    }

    @Override
    protected Level getNormalLoggingLevel() {
        return Level.FINE;
    }

    @Override
    protected void execute(TaskListener listener) {
        Orphans.get().search();
    }
}

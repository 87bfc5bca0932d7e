package io.jenkins.plugins.tao.jenkins.admin;

import hudson.Extension;
import hudson.model.AdministrativeMonitor;
import io.jenkins.plugins.tao.jenkins.run.Orphans;

/** Tells administrators of jobs that run at a target and that no build looks after. Asks no target. */
@Extension
public final class OrphanMonitor extends AdministrativeMonitor {
    @Override
    public String getDisplayName() {
        return Messages.Orphans_displayName();
    }

    @Override
    public boolean isActivated() {
        return getCount() > 0;
    }

    /** How many there are. */
    public long getCount() {
        return Orphans.get().alarms();
    }
}

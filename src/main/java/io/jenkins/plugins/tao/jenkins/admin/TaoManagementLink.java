package io.jenkins.plugins.tao.jenkins.admin;

import hudson.Extension;
import hudson.model.ManagementLink;
import hudson.security.Permission;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.run.WatchedJobs;
import java.util.List;
import java.util.stream.Collectors;
import jenkins.model.Jenkins;

/** Manage Jenkins, TAO jobs: all watched jobs and how each target answers. It shows what pollers have seen and asks nobody. */
@Extension
public final class TaoManagementLink extends ManagementLink {
    /** All targets, those with watched jobs first. */
    public List<TargetRow> getTargets() {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return TargetRow.of(
                TaoGlobalConfiguration.get().getTargets().stream()
                        .map(TargetConfiguration::getName)
                        .collect(Collectors.toSet()),
                TaoRuntime.dispatcher().health(),
                TaoRuntime.ticker().now());
    }

    /** All watched jobs. */
    public List<WatchedJobs.WatchedJob> getJobs() {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return WatchedJobs.all();
    }

    @Override
    public String getIconFileName() {
        return "symbol-flask";
    }

    @Override
    public String getDisplayName() {
        return Messages.Admin_displayName();
    }

    @Override
    public String getDescription() {
        return Messages.Admin_description();
    }

    @Override
    public String getUrlName() {
        return "tao";
    }

    @Override
    public Permission getRequiredPermission() {
        return Jenkins.ADMINISTER;
    }

    @Override
    public Category getCategory() {
        return Category.STATUS;
    }
}

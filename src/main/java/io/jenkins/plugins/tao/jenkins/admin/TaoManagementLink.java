package io.jenkins.plugins.tao.jenkins.admin;

import hudson.Extension;
import hudson.model.ManagementLink;
import hudson.model.User;
import hudson.security.Permission;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.jenkins.config.TargetConfiguration;
import io.jenkins.plugins.tao.jenkins.run.WatchedJobs;
import io.jenkins.plugins.tao.nodes.AvoidedNodes;
import java.io.IOException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import jenkins.model.Jenkins;
import org.kohsuke.stapler.HttpRedirect;
import org.kohsuke.stapler.HttpResponse;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.interceptor.RequirePOST;

/** Manage Jenkins, TAO jobs: all watched jobs and how each target answers. It shows what pollers have seen and asks nobody. */
@Extension
public final class TaoManagementLink extends ManagementLink {
    private static final Logger LOGGER = Logger.getLogger(TaoManagementLink.class.getName());

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

    /** The nodes that jobs avoid because they failed under earlier ones, those of one target together, the last that failed first. */
    public List<AvoidedNodes.Entry> getAvoided() throws IOException {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return TaoRuntime.avoidedNodes().all(TaoRuntime.ticker().now());
    }

    /** Lets jobs use a node again. One that is not avoided any more is fine. */
    @RequirePOST
    public HttpResponse doAllowNode(@QueryParameter String target, @QueryParameter String node) throws IOException {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        if (getAvoided().stream()
                .anyMatch(entry -> entry.target().equals(target))) { // else it names no file of the list
            TaoRuntime.avoidedNodes().allow(target, node);
            LOGGER.log(Level.INFO, "{0} lets jobs on {1} use {2} again", new Object[] {reader(), target, node});
        }
        return new HttpRedirect(".");
    }

    private static String reader() {
        User user = User.current();
        return user == null ? "someone without a name" : user.getDisplayName();
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

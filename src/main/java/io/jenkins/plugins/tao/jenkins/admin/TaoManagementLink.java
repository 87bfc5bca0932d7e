package io.jenkins.plugins.tao.jenkins.admin;

import hudson.Extension;
import hudson.model.Failure;
import hudson.model.ManagementLink;
import hudson.model.User;
import hudson.security.Permission;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.Targets;
import io.jenkins.plugins.tao.jenkins.page.TaggedJson;
import io.jenkins.plugins.tao.jenkins.run.Orphan;
import io.jenkins.plugins.tao.jenkins.run.Orphans;
import io.jenkins.plugins.tao.jenkins.run.TargetSearch;
import io.jenkins.plugins.tao.jenkins.run.WatchedJobs;
import io.jenkins.plugins.tao.nodes.AvoidedNodes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import jenkins.model.Jenkins;
import org.kohsuke.stapler.HttpRedirect;
import org.kohsuke.stapler.HttpResponse;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;
import org.kohsuke.stapler.interceptor.RequirePOST;

/** Manage Jenkins, TAO jobs: all watched jobs and how each target answers. It shows what pollers have seen and asks nobody. */
@Extension
public final class TaoManagementLink extends ManagementLink {
    private static final Logger LOGGER = Logger.getLogger(TaoManagementLink.class.getName());
    private static final String ON_PAGE = " on the page TAO jobs";

    /** All targets, those with watched jobs first. */
    public List<TargetRow> getTargets() {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return TargetRow.of(
                Targets.everywhere().stream()
                        .map(place -> place.target().getName())
                        .collect(Collectors.toSet()),
                TaoRuntime.dispatcher().health(),
                TaoRuntime.ticker().now(),
                TaoRuntime.dispatcher().connections(),
                WatchedJobs.blockedTargets());
    }

    /** All watched jobs. */
    public List<WatchedJobs.WatchedJob> getJobs() {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return WatchedJobs.all();
    }

    /** The nodes that jobs avoid because they failed under earlier ones, those of one target together, the last that failed first. */
    public List<AvoidedNodes.Entry> getAvoided() {
        return getAvoidance().nodes();
    }

    /** The same, and which lists of nodes cannot be read. */
    public AvoidedNodes.Look getAvoidance() {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return TaoRuntime.avoidedNodes().look(TaoRuntime.ticker().now());
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

    /** The jobs at targets that no build of this controller looks after, as the last search found them. */
    public List<Orphan> getOrphans() {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return Orphans.get().all();
    }

    /** How the last search of each target went. */
    public List<TargetSearch> getSearches() {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return Orphans.get().searches();
    }

    /** Why the last adoption failed; empty when it did not. */
    public String getTrouble() {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return Orphans.get().trouble();
    }

    /** {@code state}: all of the page as JSON. */
    public void doState(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        String text = new AdminState()
                .targets(getTargets())
                .jobs(getJobs())
                .avoided(getAvoidance())
                .orphans(getOrphans(), getSearches())
                .toString();
        new TaggedJson(text).answer(request, response);
    }

    /** {@code search}: looks for orphans now, in the background. */
    @RequirePOST
    public void doSearch(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        OrphanSearch.get().doRun();
        response.sendRedirect2(".");
    }

    /** {@code cancel}: asks for the end of a watched job. */
    @RequirePOST
    public void doCancel(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        WatchedJobs.cancel(id(request), reader() + ON_PAGE);
        response.sendRedirect2(".");
    }

    /** {@code cancelOrphan}: asks for the end of an orphan. */
    @RequirePOST
    public void doCancelOrphan(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        orphan(request).ifPresent(orphan -> Orphans.get().cancel(orphan, reader() + ON_PAGE));
        response.sendRedirect2(".");
    }

    /** {@code ignore}: keeps quiet about an orphan, or with {@code on=false} no longer. */
    @RequirePOST
    public void doIgnore(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        boolean on = !"false".equals(request.getParameter("on"));
        orphan(request).ifPresent(orphan -> Orphans.get().ignore(orphan, on));
        response.sendRedirect2(".");
    }

    /** {@code adopt}: lets a build that has ended look after an orphan. */
    @RequirePOST
    public HttpResponse doAdopt(StaplerRequest2 request) {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        try {
            String build = Optional.ofNullable(request.getParameter("build")).orElse("");
            orphan(request).ifPresent(orphan -> Orphans.get().adopt(orphan, build.strip()));
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
        return new HttpRedirect(".");
    }

    private static Optional<Orphan> orphan(StaplerRequest2 request) {
        return Orphans.get().find(id(request));
    }

    private static String id(StaplerRequest2 request) {
        return Optional.ofNullable(request.getParameter("id")).orElse("");
    }

    private static String reader() {
        return Optional.ofNullable(User.current()).map(User::getDisplayName).orElse("someone without a name");
    }

    @Override
    public String getIconFileName() {
        return "symbol-tao plugin-tao-run";
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

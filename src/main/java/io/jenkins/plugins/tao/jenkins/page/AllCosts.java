package io.jenkins.plugins.tao.jenkins.page;

import hudson.Extension;
import hudson.model.RootAction;
import java.io.IOException;
import jenkins.model.Jenkins;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerResponse2;

/** What all runs of this controller cost, for administrators: {@code tao-cost/csv} and {@code tao-cost/json} below the root. */
@Extension
public final class AllCosts implements RootAction {
    private static final String USUAL = "folder,user,target,month";

    /** Comma-separated values. */
    public void doCsv(@QueryParameter @Nullable String by, StaplerResponse2 response) throws IOException {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        CostReport.csv(CostReport.ofAll(CostReport.asked(by, USUAL)).csv(), "tao-cost.csv", response);
    }

    /** A list of objects. */
    public void doJson(@QueryParameter @Nullable String by, StaplerResponse2 response) throws IOException {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        CostReport.json(CostReport.ofAll(CostReport.asked(by, USUAL)), response);
    }

    @Override
    public @Nullable String getIconFileName() {
        return null;
    }

    @Override
    public @Nullable String getDisplayName() {
        return null;
    }

    @Override
    public String getUrlName() {
        return "tao-cost";
    }
}

package io.jenkins.plugins.tao.jenkins.page;

import hudson.Extension;
import hudson.model.RootAction;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import jenkins.model.Jenkins;

/** What all runs of this controller cost, for administrators: those of the last year, of deleted jobs too. */
@Extension
public final class AllCosts extends CostPage implements RootAction {
    private static final Duration YEAR = Duration.ofDays(366);

    public AllCosts() {
        super("folder,user,target,month");
    }

    @Override
    List<RunRecord> runs() throws IOException {
        Jenkins.get().checkPermission(Jenkins.ADMINISTER);
        return TaoRuntime.ledger().since(TaoRuntime.ticker().now().minus(YEAR)).records();
    }
}

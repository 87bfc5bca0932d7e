package io.jenkins.plugins.tao.jenkins.page;

import hudson.model.InvisibleAction;
import io.jenkins.plugins.tao.cost.CostTable;
import io.jenkins.plugins.tao.cost.Dimension;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.StaplerResponse2;

/**
 * GPU-hours, queue waits and money of runs at {@code tao-cost/csv} and {@code tao-cost/json}, where {@code ?by=month,user} groups
 * them. Prices are those of the global configuration.
 */
public abstract class CostPage extends InvisibleAction {
    private final String usual;

    /** A page whose reports are grouped by {@code usual} where nothing is asked for. */
    CostPage(String usual) {
        this.usual = usual;
    }

    /** The runs that are reported, for those who may see them. */
    abstract List<RunRecord> runs() throws IOException;

    /**
     * The report.
     *
     * @throws IllegalArgumentException if {@code by} names no {@link Dimension}
     */
    final CostTable table(@Nullable String by) throws IOException {
        return CostTable.of(
                runs(),
                Dimension.parse(by == null || by.isBlank() ? usual : by),
                TaoGlobalConfiguration.get().accounts().prices());
    }

    /** Comma-separated values. */
    public void doCsv(@QueryParameter @Nullable String by, StaplerResponse2 response) throws IOException {
        csv(table(by).csv(), "tao-cost.csv", response);
    }

    /** A list of objects. */
    public void doJson(@QueryParameter @Nullable String by, StaplerResponse2 response) throws IOException {
        String json = table(by).json();
        response.setContentType("application/json;charset=UTF-8");
        response.getWriter().write(json);
    }

    /** Sends a file of comma-separated values. */
    public static void csv(String csv, String name, StaplerResponse2 response) throws IOException {
        response.setContentType("text/csv;charset=UTF-8");
        response.setHeader("Content-Disposition", "attachment; filename=\"" + name + "\"");
        response.getWriter().write(csv);
    }

    @Override
    public String getUrlName() {
        return "tao-cost";
    }
}

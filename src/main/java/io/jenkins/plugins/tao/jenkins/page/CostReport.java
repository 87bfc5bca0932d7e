package io.jenkins.plugins.tao.jenkins.page;

import hudson.model.Job;
import io.jenkins.plugins.tao.cost.CostTable;
import io.jenkins.plugins.tao.cost.Dimension;
import io.jenkins.plugins.tao.cost.PriceTable;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.config.TaoGlobalConfiguration;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.StaplerResponse2;

/** GPU-hours, queue waits and money of one job or of all, for pages and for scripts. Prices are those of the global configuration. */
public final class CostReport {
    private static final Duration YEAR = Duration.ofDays(366);

    private CostReport() {}

    /**
     * The runs of one job that have ended; they go along when it is renamed.
     *
     * @throws IllegalArgumentException if {@code by} names no {@link Dimension}
     */
    public static CostTable of(Job<?, ?> job, String by) throws IOException {
        List<RunRecord> runs =
                new RunHistory(job.getRootDir().toPath().resolve("tao")).read().records();
        return CostTable.of(runs, Dimension.parse(by), prices());
    }

    /** The runs of all jobs, those of deleted ones too, of the last year. */
    public static CostTable ofAll(String by) throws IOException {
        Instant from = TaoRuntime.ticker().now().minus(YEAR);
        return CostTable.of(TaoRuntime.ledger().since(from).records(), Dimension.parse(by), prices());
    }

    private static PriceTable prices() {
        return TaoGlobalConfiguration.get().accounts().prices();
    }

    /** What groups a report where nothing is asked for. */
    static String asked(@Nullable String by, String usual) {
        return by == null || by.isBlank() ? usual : by;
    }

    /** Sends a file of comma-separated values. */
    public static void csv(String csv, String name, StaplerResponse2 response) throws IOException {
        response.setContentType("text/csv;charset=UTF-8");
        response.setHeader("Content-Disposition", "attachment; filename=\"" + name + "\"");
        response.getWriter().write(csv);
    }

    /** Sends a table as JSON. */
    static void json(CostTable table, StaplerResponse2 response) throws IOException {
        response.setContentType("application/json;charset=UTF-8");
        response.getWriter().write(table.json());
    }
}

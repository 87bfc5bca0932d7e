package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.ArtifactLimits;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.monitor.EarlyEnd;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.status.MetricPoint;
import java.util.List;
import java.util.function.Consumer;
import lombok.With;
import org.jspecify.annotations.Nullable;

/**
 * A {@link WatchRequest} that was read: read before anything is submitted, for a job whose watch cannot begin runs on unseen.
 *
 * @param archive what to bring home
 * @param plan how patient to be, without secrets
 * @param log whether the build log shows the job's own log
 * @param mostLog how many bytes of it
 * @param foldRanks whether a line that several ranks write is shown once
 * @param measured hears the metrics that the job tells
 * @param happened hears its events; after a restart an event may come again
 */
public record WatchTerms(
        ArtifactPlan archive,
        WatchPlan plan,
        boolean log,
        long mostLog,
        boolean foldRanks,
        @With Consumer<List<MetricPoint>> measured,
        @With Consumer<TaoEvent> happened) {
    /** With all of the log, as it is. */
    public WatchTerms(ArtifactPlan archive, WatchPlan plan, boolean log) {
        this(archive, plan, log, Long.MAX_VALUE, false, told -> {}, event -> {});
    }

    /** The console of one job. */
    Console console() {
        return new Console(mostLog, foldRanks);
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException naming the field that is wrong
     */
    public static WatchTerms of(WatchRequest request) {
        WatchPlan defaults = WatchPlan.defaults();
        WatchPlan plan = new WatchPlan(
                FormText.duration("giveUpAfter", request.getGiveUpAfter()).orElse(defaults.giveUpAfter()),
                FormText.number("retries", request.getRetries()).orElse(defaults.retries()),
                FormText.duration("interval", request.getInterval()),
                defaults.secrets());
        plan = plan.withAvoidNodesFor(
                FormText.duration("avoidNodesFor", request.getAvoidNodesFor()).orElse(defaults.avoidNodesFor()));
        plan = plan.withStall(
                FormText.duration("stallAfter", request.getStallAfter()).orElse(defaults.stallAfter()),
                FormText.constant("onStall", request.getOnStall(), WatchPlan.OnStall.class)
                        .orElse(defaults.onStall()));
        plan = plan.withIdleAfter(FormText.duration("idleAfter", request.getIdleAfter()))
                .withEndEarly(EarlyEnd.parse(request.jobEndEarly(), List.of()));
        return new WatchTerms(
                archive(request.getArchive(), request.getArchiveLimit()),
                plan,
                request.isLog(),
                logLimit(request.getLogLimit()),
                request.isFoldRanks(),
                told -> {},
                event -> {});
    }

    /** Reads how much of a log is shown, in bytes. */
    public static long logLimit(@Nullable String limit) {
        try {
            return FormText.text(limit)
                    .map(text -> ArtifactLimits.parse(text).maxBytesPerFile())
                    .orElse(Long.MAX_VALUE);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException("logLimit: " + e.getMessage(), e);
        }
    }

    /** Reads patterns of files, and the limits of their sizes. */
    public static ArtifactPlan archive(@Nullable String patterns, @Nullable String limit) {
        ArtifactLimits limits;
        try {
            limits = ArtifactLimits.parse(FormText.kept(limit));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException("archiveLimit: " + e.getMessage(), e);
        }
        try {
            return ArtifactPlan.of(FormText.list(patterns), limits);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("archive: " + e.getMessage(), e);
        }
    }
}

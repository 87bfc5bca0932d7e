package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.jenkins.config.FormText;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import org.jspecify.annotations.Nullable;

/**
 * A {@link WatchRequest} that was read: read before anything is submitted, for a job whose watch cannot begin runs on unseen.
 *
 * @param archive what to bring home
 * @param plan how patient to be, without secrets
 * @param log whether the build log shows the job's own log
 */
public record WatchTerms(ArtifactPlan archive, WatchPlan plan, boolean log) {
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
                defaults.interval(),
                defaults.secrets());
        return new WatchTerms(archive(request.getArchive()), plan, request.isLog());
    }

    /** Reads patterns of files. */
    public static ArtifactPlan archive(@Nullable String patterns) {
        try {
            return ArtifactPlan.of(FormText.list(patterns));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("archive: " + e.getMessage(), e);
        }
    }
}

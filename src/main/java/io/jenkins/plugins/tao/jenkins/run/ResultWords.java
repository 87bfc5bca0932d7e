package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.monitor.JobResult;
import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;

/** The figures of a job that has ended, in words for the last line of its log; pure. */
final class ResultWords {
    private static final int MOST_KPIS = 4;

    private ResultWords() {}

    /**
     * {@code ran 2h11m, exit code 0, val_mAP 0.7100; files in job/train/7/artifact/tao/train-1/, results in /lustre/…}.
     *
     * @param buildUrl the address of the build below Jenkins' own, with a slash at its end
     */
    static String facts(JobResult ended, String buildUrl) {
        StringJoiner facts = new StringJoiner(", ");
        ended.startedAt()
                .map(start -> Duration.between(start, ended.endedAt()))
                .filter(length -> !length.isNegative())
                .ifPresent(length -> facts.add("ran " + Durations.words(length)));
        ended.exitCode().ifPresent(code -> facts.add("exit code " + code));
        ended.progress().kpis().entrySet().stream()
                .limit(MOST_KPIS)
                .forEach(kpi -> facts.add(kpi.getKey() + " " + String.format(Locale.ROOT, "%.4g", kpi.getValue())));
        String places = "files in " + buildUrl + "artifact/tao/"
                + ended.handle().key() + "/, results in " + ended.handle().resultsDirectory();
        return facts.length() == 0 ? places : facts + "; " + places;
    }
}

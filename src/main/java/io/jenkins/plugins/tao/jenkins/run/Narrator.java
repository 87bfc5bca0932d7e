package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.Durations;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.StringJoiner;

/** Tells the build log and the build's page what a watch sees. */
final class Narrator {
    private static final int MOST_KPIS = 6;

    private final BuildScope scope;
    private final boolean log;
    private JobHandle job;
    private String told = "";

    Narrator(BuildScope scope, JobHandle job, boolean log) {
        this.scope = scope;
        this.job = job;
        this.log = log;
    }

    void on(JobEvent event) {
        if (event instanceof JobEvent.Lines lines) {
            show(lines);
        } else if (event instanceof JobEvent.Advanced advanced) {
            advanced(advanced.progress());
        } else if (event instanceof JobEvent.StatusChanged changed) {
            changed(changed);
        } else if (event instanceof JobEvent.AttemptStarted started) {
            attempt(started);
        } else if (event instanceof JobEvent.Unreachable silence) {
            scope.say("no word from " + job.target() + " since " + silence.since() + ", still watching: "
                    + silence.what() + " " + silence.remedy());
        } else if (event instanceof JobEvent.Reachable back) {
            scope.say(job.target() + " answers again after " + Durations.words(back.silence()));
        } else if (event instanceof JobEvent.Notice notice) {
            scope.say(notice.text());
        }
    }

    private void show(JobEvent.Lines lines) {
        if (log && lines.stream() != Stream.STATUS) {
            lines.lines().forEach(scope::echo);
        }
    }

    private void changed(JobEvent.StatusChanged event) {
        JobStatus now = event.now();
        StringBuilder line = new StringBuilder(job.shortName()).append(' ');
        if (!event.before().isEmpty() && !event.before().equals(now.nativeState())) {
            line.append(event.before()).append(" -> ");
        }
        line.append(now.nativeState()).append(" after ").append(Durations.words(event.inState()));
        if (!now.nodes().isEmpty() && now.state() == JobState.RUNNING) {
            line.append(", on ").append(String.join(",", now.nodes()));
        }
        now.reason().ifPresent(reason -> line.append(", ").append(reason));
        scope.say(line.toString());
        page(now.nativeState(), now.reason().orElse(String.join(",", now.nodes())));
    }

    private void attempt(JobEvent.AttemptStarted event) {
        scope.say(job.shortName() + " ended: " + event.ended().cause() + ", "
                + event.ended().detail());
        job = event.next();
        scope.say(job.shortName() + " is attempt " + job.attempt() + " of " + job.key());
        page("SUBMITTED", "attempt " + job.attempt());
    }

    private void advanced(Progress progress) {
        String line = words(progress);
        scope.page().progress(job.key().value(), line);
        String coarse = progress.status() + whole(progress.epoch());
        if (!coarse.equals(told) && !line.isEmpty()) {
            told = coarse;
            scope.say(job.shortName() + " " + line);
        }
    }

    private static String words(Progress progress) {
        StringJoiner line = new StringJoiner(", ");
        if (!progress.status().isEmpty()) {
            line.add(progress.status());
        }
        if (progress.epoch().isPresent()) {
            line.add("epoch " + whole(progress.epoch())
                    + (progress.maxEpoch().isPresent() ? "/" + whole(progress.maxEpoch()) : ""));
        }
        progress.kpis().entrySet().stream()
                .limit(MOST_KPIS)
                .forEach(kpi -> line.add(kpi.getKey() + " " + String.format(Locale.ROOT, "%.4g", kpi.getValue())));
        progress.eta().ifPresent(eta -> line.add("ETA " + Durations.words(eta)));
        return line.toString();
    }

    private static String whole(OptionalDouble number) {
        return number.isPresent() ? String.format(Locale.ROOT, "%.0f", Math.floor(number.getAsDouble())) : "";
    }

    /** Keeps the state with the build; called at transitions only, each is one write. */
    void page(String state, String detail) {
        scope.page().update(job.key().value(), record -> record.now(job, state, detail));
        scope.save();
    }
}

package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.EventWords;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.util.Locale;
import java.util.OptionalDouble;

/** Tells the build log and the build's page what a watch sees. */
final class Narrator {

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
            scope.say(job.target() + ": " + EventWords.unreachable(silence));
        } else if (event instanceof JobEvent.Reachable back) {
            scope.say(job.target() + " " + EventWords.reachable(back));
        } else if (event instanceof JobEvent.CancelRefused refused) {
            scope.say(job.shortName() + " " + EventWords.refused(refused));
        } else if (event instanceof JobEvent.Still still) {
            scope.say(job.shortName() + " still " + still.where());
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
        scope.say(job.shortName() + " " + EventWords.changed(event));
        page(now.nativeState(), now.reason().orElse(String.join(",", now.nodes())));
    }

    private void attempt(JobEvent.AttemptStarted event) {
        scope.say(job.key() + ": " + EventWords.attempt(event));
        job = event.next();
        page("SUBMITTED", "attempt " + job.attempt());
    }

    private void advanced(Progress progress) {
        String line = EventWords.progress(progress);
        scope.page().progress(job.key().value(), line);
        String coarse = progress.status() + whole(progress.epoch());
        if (!coarse.equals(told) && !line.isEmpty()) {
            told = coarse;
            scope.say(job.shortName() + " " + line);
        }
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

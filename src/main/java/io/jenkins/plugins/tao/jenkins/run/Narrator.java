package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.jenkins.TaoRuntime;
import io.jenkins.plugins.tao.jenkins.page.JobOwner;
import io.jenkins.plugins.tao.jenkins.page.JobRecord;
import io.jenkins.plugins.tao.jenkins.page.TaoRunAction;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.EventWords;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;

/** Tells the build log and the build's page what a watch sees. */
final class Narrator {
    private static final Duration SILENCE_AGAIN = Duration.ofMinutes(9);
    private static final Duration OUTAGE_OVER = Duration.ofSeconds(30);
    private static final Duration SAVE_PROGRESS_EVERY = Duration.ofMinutes(1);

    private final BuildScope scope;
    private final boolean log;
    private final Console console;
    private final JointLines joint;
    /** Held, so that what is only shown stays as long as the job is watched. */
    private final TaoRunAction page;

    private Instant progressSaved = Instant.EPOCH;
    private JobHandle job;
    private String told = "";

    Narrator(BuildScope scope, JobHandle job, WatchTerms terms) {
        this.scope = scope;
        this.job = job;
        log = terms.log();
        console = terms.console();
        page = scope.page();
        joint = scope.live().lines(job.target());
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
            unreachable(silence);
        } else if (event instanceof JobEvent.Reachable back) {
            reachable(back);
        } else if (event instanceof JobEvent.CancelRefused refused) {
            scope.say(job.shortName() + " " + EventWords.refused(refused));
        } else if (event instanceof JobEvent.Machine machine) {
            Optional.of(EventWords.machine(machine))
                    .filter(words -> !words.isEmpty())
                    .ifPresent(words -> scope.say(job.shortName() + " " + words));
        } else if (event instanceof JobEvent.Still still) {
            joint.still(job.shortName(), still.where(), scope::say);
        } else if (event instanceof JobEvent.Notice notice) {
            scope.say(notice.text());
        }
    }

    /** One outage is one line, whatever the number of jobs it concerns. */
    private void unreachable(JobEvent.Unreachable silence) {
        if (joint.first("unreachable " + silence.what(), SILENCE_AGAIN)) {
            scope.say(job.target() + ": " + EventWords.unreachable(silence));
        }
    }

    private void reachable(JobEvent.Reachable back) {
        joint.again("unreachable");
        if (joint.first("reachable", OUTAGE_OVER)) {
            scope.say(job.target() + " " + EventWords.reachable(back));
        }
    }

    private void show(JobEvent.Lines lines) {
        if (lines.stream() == Stream.STATUS) {
            return;
        }
        page.follow(job.key().value(), scope.mask().apply(lines.text()).lines().toList());
        if (log) {
            console.shown(lines.lines()).forEach(scope::echo);
        }
    }

    /** Whether the build log lacks the last lines of the job. */
    boolean lacksLastLines() {
        return !log || console.isFull();
    }

    private void changed(JobEvent.StatusChanged event) {
        JobStatus now = event.now();
        if (now.state() == JobState.PENDING) {
            joint.waits(job.shortName(), EventWords.changed(event), scope::say);
        } else {
            joint.moved(job.shortName());
            scope.say(job.shortName() + " " + EventWords.changed(event));
        }
        moved(now.nativeState(), now.reason().orElse(""), ShownFacts.of(now));
    }

    private void attempt(JobEvent.AttemptStarted event) {
        scope.say(job.key() + ": " + EventWords.attempt(event));
        job = event.next();
        moved("SUBMITTED", "attempt " + job.attempt(), ShownFacts.ofNewAttempt());
    }

    private void advanced(Progress progress) {
        String line = EventWords.progress(progress);
        Instant now = TaoRuntime.ticker().now();
        UnaryOperator<JobRecord> change =
                record -> (line.isEmpty() ? record : record.advanced(line)).knowing(ShownFacts.of(progress, now));
        if (now.isBefore(progressSaved.plus(SAVE_PROGRESS_EVERY))) {
            page.show(job.key().value(), change);
        } else {
            progressSaved = now;
            page.update(job.key().value(), change);
        }
        String coarse = progress.status() + whole(progress.epoch());
        if (!coarse.equals(told) && !line.isEmpty()) {
            told = coarse;
            scope.say(job.shortName() + " " + line);
        }
    }

    private static String whole(OptionalDouble number) {
        return number.isPresent() ? String.format(Locale.ROOT, "%.0f", Math.floor(number.getAsDouble())) : "";
    }

    /** Keeps the state with the build; called at transitions only, each is one line of a file. */
    private void moved(String state, String detail, Map<String, String> facts) {
        page.update(job.key().value(), record -> record.now(job, state, detail).knowing(facts));
    }

    /** Keeps how the job ended, with what the training said last. */
    void ended(String state, String detail, JobResult ended) {
        joint.moved(job.shortName());
        JobOwner owner = state.equals("LOST") ? JobOwner.LEFT : JobOwner.ENDED;
        String line = EventWords.progress(ended.progress());
        page.update(
                job.key().value(),
                record -> (line.isEmpty() ? record : record.advanced(line))
                        .now(job, state, detail)
                        .knowing(ShownFacts.of(ended))
                        .ownedBy(owner));
        page.keepTail(job.key().value());
    }
}

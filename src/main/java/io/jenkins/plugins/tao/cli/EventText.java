package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Progress;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.StringJoiner;

/** What a person reads of a job, line by line; pure. */
final class EventText {
    private static final String MARK = "[tao] ";

    private final String job;

    EventText(String job) {
        this.job = job;
    }

    /** The lines of one event; a job's own log lines as they are. */
    List<String> of(JobEvent event) {
        if (event instanceof JobEvent.Lines lines) {
            return lines.lines();
        }
        if (event instanceof JobEvent.StatusChanged changed) {
            return List.of(say(changed(changed)));
        }
        if (event instanceof JobEvent.Advanced advanced) {
            String words = progress(advanced.progress());
            return words.isEmpty() ? List.of() : List.of(say(words));
        }
        if (event instanceof JobEvent.Unreachable silent) {
            return List.of(say(
                    "no word since " + silent.since() + ", still watching: " + silent.what() + " " + silent.remedy()));
        }
        if (event instanceof JobEvent.Reachable back) {
            return List.of(say("answers again after " + Durations.shortText(back.silence())));
        }
        if (event instanceof JobEvent.AttemptStarted next) {
            return List.of(say("attempt " + next.ended().number() + " ended: "
                    + next.ended().detail().replaceFirst("\\.$", "") + "; attempt "
                    + next.next().attempt() + " is "
                    + next.next().shortName()));
        }
        if (event instanceof JobEvent.Notice notice) {
            return List.of(say(notice.text()));
        }
        return ended(((JobEvent.Ended) event).result());
    }

    List<String> submitted(JobHandle handle, String image) {
        List<String> lines = new ArrayList<>();
        if (!image.isEmpty()) {
            lines.add(MARK + "image " + image);
        }
        lines.add(MARK + handle.shortName() + " submitted as " + handle.key() + ", results in "
                + handle.resultsDirectory());
        return lines;
    }

    private String say(String text) {
        return MARK + job + " " + text;
    }

    private static String changed(JobEvent.StatusChanged changed) {
        JobStatus now = changed.now();
        String word = word(now);
        StringBuilder line = new StringBuilder();
        if (changed.before().isEmpty() || changed.before().equals(word)) {
            line.append(word);
        } else {
            line.append(changed.before())
                    .append(" -> ")
                    .append(word)
                    .append(" after ")
                    .append(Durations.shortText(changed.inState()));
        }
        if (!now.nodes().isEmpty() && now.state() != JobState.ENDED) {
            line.append(", on ").append(String.join(",", now.nodes()));
        }
        now.reason().ifPresent(reason -> line.append(" (").append(reason).append(')'));
        return line.toString();
    }

    static String word(JobStatus status) {
        return status.nativeState().isEmpty() ? status.state().name() : status.nativeState();
    }

    /** {@code epoch 7/50, loss 0.1234, eta 1h20m}; empty when nothing is known. */
    static String progress(Progress progress) {
        StringJoiner words = new StringJoiner(", ");
        counted("epoch", progress.epoch(), progress.maxEpoch())
                .or(() -> counted("step", progress.step(), progress.maxStep()))
                .ifPresent(words::add);
        leadingKpi(progress).ifPresent(words::add);
        progress.eta().ifPresent(eta -> words.add("eta " + Durations.shortText(eta)));
        return words.toString();
    }

    private static Optional<String> counted(String unit, OptionalDouble at, OptionalDouble last) {
        if (at.isEmpty()) {
            return Optional.empty();
        }
        long current = (long) Math.floor(at.getAsDouble()) + 1;
        if (last.isEmpty()) {
            return Optional.of(unit + " " + current);
        }
        long of = (long) Math.floor(last.getAsDouble()) + 1;
        return Optional.of(unit + " " + Math.min(current, of) + "/" + of);
    }

    private static Optional<String> leadingKpi(Progress progress) {
        Optional<String> name = progress.kpis().keySet().stream()
                .filter(key -> key.toLowerCase(Locale.ROOT).contains("loss"))
                .findFirst()
                .or(() -> progress.kpis().keySet().stream().findFirst());
        return name.map(key -> key + " " + number(progress.kpis().get(key)));
    }

    private static String number(@org.jspecify.annotations.Nullable Double value) {
        return value == null ? "" : String.format(Locale.ROOT, "%.4g", value);
    }

    private List<String> ended(JobResult result) {
        StringBuilder line = new StringBuilder(result.outcome().word());
        result.exitCode().ifPresent(code -> line.append(", exit code ").append(code));
        result.startedAt()
                .ifPresent(start -> line.append(", ran ")
                        .append(Durations.shortText(java.time.Duration.between(start, result.endedAt()))));
        String detail = detail(result.outcome());
        return List.of(say(detail.isEmpty() ? line.toString() : line + ": " + detail));
    }

    static String detail(Outcome outcome) {
        return outcome.match(
                succeeded -> "",
                failed -> failed.detail(),
                cancelled -> "by " + cancelled.by(),
                lost -> "no word since " + lost.lastSeen() + "; 'tao wait' takes it up again");
    }

    List<String> diagnosis(Diagnosis diagnosis) {
        List<String> lines = new ArrayList<>();
        if (!diagnosis.summary().isEmpty()) {
            lines.add(say(diagnosis.summary()));
        }
        if (!diagnosis.remedy().isEmpty()) {
            lines.add(say("what to do: " + diagnosis.remedy()));
        }
        diagnosis.facts().forEach(fact -> lines.add(say("  " + fact)));
        return lines;
    }

    /** A report, one line a check and one for its remedy. */
    static List<String> report(Report report) {
        List<String> lines = new ArrayList<>();
        for (Report.Check check : report.checks()) {
            String detail = check.detail().isEmpty() ? "" : ": " + check.detail();
            lines.add(sign(check.verdict()) + " " + check.name() + detail);
            if (!check.remedy().isEmpty()) {
                lines.add("    " + check.remedy());
            }
        }
        return lines;
    }

    private static String sign(Report.Verdict verdict) {
        return switch (verdict) {
            case PASSED -> "✔";
            case WARNING -> "!";
            case FAILED -> "✖";
            case SKIPPED -> "-";
        };
    }
}

package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.EventWords;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import java.util.ArrayList;
import java.util.List;

/** What a person reads of a job, line by line; pure. */
public record EventText(String job) {
    private static final String MARK = "[tao] ";

    /** The lines of one event that is no log line. */
    List<String> of(JobEvent event) {
        if (event instanceof JobEvent.StatusChanged changed) {
            return List.of(say(EventWords.changed(changed)));
        }
        if (event instanceof JobEvent.Advanced advanced) {
            String words = EventWords.progress(advanced.progress());
            return words.isEmpty() ? List.of() : List.of(say(words));
        }
        if (event instanceof JobEvent.Unreachable silent) {
            return List.of(say(EventWords.unreachable(silent)));
        }
        if (event instanceof JobEvent.Reachable back) {
            return List.of(say(EventWords.reachable(back)));
        }
        if (event instanceof JobEvent.AttemptStarted next) {
            return List.of(say(EventWords.attempt(next)));
        }
        if (event instanceof JobEvent.CancelRefused refused) {
            return List.of(say(EventWords.refused(refused)));
        }
        if (event instanceof JobEvent.Machine machine) {
            String words = EventWords.machine(machine);
            return words.isEmpty() ? List.of() : List.of(say(words));
        }
        if (event instanceof JobEvent.GpusUsed) {
            return List.of();
        }
        if (event instanceof JobEvent.Still still) {
            return List.of(say("still " + still.where()));
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

    private List<String> ended(JobResult result) {
        StringBuilder line = new StringBuilder(result.outcome().word());
        result.exitCode().ifPresent(code -> line.append(", exit code ").append(code));
        result.startedAt()
                .ifPresent(start -> line.append(", ran ")
                        .append(Durations.words(java.time.Duration.between(start, result.endedAt()))));
        String detail = detail(result.outcome());
        return List.of(say(detail.isEmpty() ? line.toString() : line + ": " + detail));
    }

    public static String detail(Outcome outcome) {
        return outcome.match(
                succeeded -> "",
                failed -> failed.detail(),
                cancelled -> "by " + cancelled.by(),
                lost -> "no response since " + lost.lastSeen() + "; 'tao wait' watches it again");
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
    public static List<String> report(Report report) {
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

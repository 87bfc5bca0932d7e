package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.job.text.Sentences;
import java.util.Locale;
import java.util.Map;

/** What a check of a code host shows of an event; pure. */
final class CheckText {
    private static final int LONGEST = 60_000;

    private CheckText() {}

    /** The name of the check: the same for all events of one job, and for all builds. */
    static String name(TaoEvent event) {
        String what = event.job()
                .map(job -> job.getId().replaceFirst("-[0-9a-f]{12}$", ""))
                .orElseGet(() -> "gate "
                        + event.gate()
                                .getOrDefault(
                                        "gate", String.valueOf(event.gate().get("kpi"))));
        return "TAO / " + what;
    }

    /** A few words. */
    static String title(TaoEvent event) {
        if (event.kind() == TaoEvent.Kind.GATE) {
            return String.valueOf(event.gate().get("answer"));
        }
        return event.result()
                .map(result -> result.getOutcome()
                        + (result.getCause().isEmpty()
                                ? ""
                                : ", "
                                        + result.getCause()
                                                .toLowerCase(Locale.ROOT)
                                                .replace('_', ' ')))
                .orElse(event.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    /** A table of GitHub's Markdown, and the evidence. */
    static String summary(TaoEvent event) {
        if (event.kind() == TaoEvent.Kind.GATE) {
            return Sentences.shortened(String.valueOf(event.gate().get("evidence")), LONGEST);
        }
        StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
        event.job().ifPresent(job -> {
            row(text, "job", job.getId());
            row(text, "target", job.getTarget() + "/" + job.getNativeId());
            row(text, "results", job.getResultsDir());
        });
        event.result().ifPresent(result -> {
            if (result.getExitCode() != null) {
                row(text, "exit code", String.valueOf(result.getExitCode()));
            }
            row(text, "ran", result.getDurationMillis() / 1000 + " s");
            for (Map.Entry<String, Double> kpi : result.getKpis().entrySet()) {
                row(text, kpi.getKey(), String.format(Locale.ROOT, "%.4g", kpi.getValue()));
            }
            text.append('\n').append(result.getMessage());
        });
        return Sentences.shortened(text.toString(), LONGEST);
    }

    private static void row(StringBuilder text, String name, String value) {
        text.append("| ")
                .append(name)
                .append(" | ")
                .append(value.replace("|", "\\|").replace('\n', ' '))
                .append(" |\n");
    }
}

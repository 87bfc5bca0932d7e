package io.jenkins.plugins.tao.backend.simulated;

import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a job would play, with the seconds since its submission. Pure. */
final class PlayPreview {
    private static final double MILLIS = 1000;

    private PlayPreview() {}

    static Preview of(PlayRequest request, JobKey key) {
        PlayAttempt first = new PlayAttempt(1, Instant.EPOCH, List.of(), Optional.empty());
        Play play = Play.all(request, List.of(first)).get(0);
        StringBuilder text = new StringBuilder();
        text.append(play.startsAt().isPresent() ? "" : "never starts: " + play.waitsFor() + "\n");
        for (Play.Moment moment : play.moments()) {
            text.append(
                    String.format(Locale.ROOT, "%9s %-6s %s%n", seconds(moment.at()), moment.stream(), moment.text()));
        }
        text.append(play.end()
                .map(end -> String.format(Locale.ROOT, "%9s ends   %s%n", seconds(end.at()), word(end)))
                .orElse("runs until it is cancelled\n"));
        return new Preview(List.of(new Preview.Part(key + ".play", text.toString())));
    }

    private static String word(Play.End end) {
        String code =
                end.exitCode().isPresent() ? ", exit code " + end.exitCode().getAsInt() : "";
        return Sentences.clean(end.word() + code);
    }

    private static String seconds(Instant at) {
        return String.format(
                Locale.ROOT, "%.3fs", Duration.between(Instant.EPOCH, at).toMillis() / MILLIS);
    }
}

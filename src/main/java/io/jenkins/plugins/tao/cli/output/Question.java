package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.cli.terminal.OnInterrupt;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Asks the person at the terminal what to do with a running job. */
public record Question(Surroundings here, JobOutput output) {
    private static final String CHOICES =
            "[d]etach: stop watching, the job continues. [c]ancel: end the job. [k]eep watching. ";
    private static final String FIRST = "Ctrl-C. " + CHOICES;

    /** What to do with the job. */
    public enum Answer {
        DETACH,
        CANCEL,
        KEEP_WATCHING
    }

    /** What Ctrl-C means: the answer that was given beforehand, or the one to this question. */
    public Answer answer(OnInterrupt given) {
        return switch (given) {
            case ASK -> ask();
            case CANCEL -> Answer.CANCEL;
            case DETACH -> Answer.DETACH;
        };
    }

    /** The answer, asked for until it is clear; an end of the input detaches, so that nothing happens to the job. */
    Answer ask() {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(here.terminal().in(), StandardCharsets.UTF_8));
        output.asking(FIRST);
        try {
            while (true) {
                String answer = lines.readLine();
                if (answer == null) {
                    return Answer.DETACH;
                }
                switch (answer.strip().toLowerCase(Locale.ROOT)) {
                    case "d", "detach" -> {
                        return Answer.DETACH;
                    }
                    case "c", "cancel" -> {
                        return Answer.CANCEL;
                    }
                    case "k", "keep", "keep watching", "w", "wait" -> {
                        return Answer.KEEP_WATCHING;
                    }
                    default -> output.asking("Please type d, c or k. " + CHOICES);
                }
            }
        } catch (IOException e) {
            return Answer.DETACH;
        } finally {
            output.answered();
        }
    }
}

package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The last line of one of our notebooks.
 *
 * @param code the command's exit code, or one of the notebook's own
 * @param word what ended it: one of the words that run.py gives to end()
 * @param text why, for a person; may be empty
 */
record NotebookEnd(int code, String word, String text) {
    private static final Pattern LINE = Pattern.compile("exit (\\d{1,3}) ([a-z]+) ?(.*)");

    static Optional<NotebookEnd> parse(String line) {
        Matcher match = LINE.matcher(line);
        return match.matches()
                ? Optional.of(new NotebookEnd(Integer.parseInt(match.group(1)), match.group(2), match.group(3)))
                : Optional.empty();
    }

    /**
     * What that makes of a run that Kaggle calls over.
     *
     * @param error whether Kaggle calls it an error
     */
    JobStatus status(String nativeState, boolean error, String said) {
        Ending ending =
                switch (word) {
                    case "limit" -> Ending.TIME_LIMIT;
                    case "next" -> Ending.PREEMPTED;
                    case "launch" -> Ending.LAUNCH_FAILURE;
                    default -> code == 0 && !error ? Ending.COMPLETED : Ending.FAILED;
                };
        String why = word.equals("next") ? text + "; the next session resumes from its results" : text;
        return JobStatus.ended(ending, nativeState)
                .withExitCode(code)
                .withReason(why.isBlank() ? said : why)
                .withRuns(1);
    }
}

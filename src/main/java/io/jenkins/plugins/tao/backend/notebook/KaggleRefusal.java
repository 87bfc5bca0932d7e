package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.job.text.WordRow;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Turns the words with which Kaggle refuses a push into what happened and what to do next. Pure. */
final class KaggleRefusal {
    private static final Duration UNTIL_A_PLACE_IS_FREE = Duration.ofMinutes(1);

    private static final Pattern SESSIONS = Pattern.compile(
            "session (count|limit)|sessions? at (once|a time|the same)|(maximum|too many|concurrent)[^.]*\\bsessions?\\b",
            Pattern.CASE_INSENSITIVE);

    private static final List<WordRow> RULES = WordRow.read(KaggleRefusal.class, "kaggle-refusals.txt");

    private KaggleRefusal() {}

    static BackendException of(String target, String slug, String words) {
        String what =
                "Kaggle did not start " + slug + " for target '" + target + "': " + words.replaceAll("\\.$", "") + ".";
        String lower = words.toLowerCase(Locale.ROOT);
        if (ofSessions(words)) {
            return new Unreachable(
                    what,
                    "All sessions that the account may have at once are taken. It is tried again until one ends; end one"
                            + " on kaggle.com to make room.",
                    UNTIL_A_PLACE_IS_FREE);
        }
        if (lower.contains("phone") || lower.contains("verif")) {
            return new Denied(what, "Verify the account by phone in Kaggle's settings: GPUs and internet need that.");
        }
        return new Rejected(
                what,
                RULES.stream()
                        .filter(rule -> rule.isIn(lower))
                        .map(WordRow::words)
                        .findFirst()
                        .orElse("Change what the message names, then submit again."));
    }

    /** Whether all sessions that the account may have are taken, in whatever words. */
    static boolean ofSessions(String words) {
        return SESSIONS.matcher(words).find();
    }

    /** The notebook would run without its data. */
    static Rejected ofSources(String target, List<String> invalid) {
        return new Rejected(
                "Kaggle cannot mount " + String.join(", ", invalid) + " for target '" + target + "'.",
                "Correct the names (owner/name, as the address ends) and see that the account may read them; accept a"
                        + " competition's rules on its page first. The notebook was deleted again.");
    }
}

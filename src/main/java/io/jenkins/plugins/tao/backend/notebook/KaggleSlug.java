package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.util.Locale;

/**
 * The name of one attempt's notebook, made of the job's key alone, so that a push whose answer was lost is found again.
 * A further attempt is a notebook of its own: Kaggle tells status, log and output of a notebook's newest version only.
 */
final class KaggleSlug {
    static final String PREFIX = "tao-";
    /** A title may have 50 letters; the rest is for the number of a further attempt. */
    private static final int LONGEST_STEM = 42;

    private static final int SHORTENED = 29;
    private static final int DIGITS = 12;

    private KaggleSlug() {}

    static String of(JobKey key, int attempt) {
        String plain = key.value()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("-$", "");
        boolean unchanged = plain.equals(key.value()) && plain.length() <= LONGEST_STEM;
        String stem = unchanged ? plain : shortened(plain) + "-" + Fingerprint.of(key.value(), DIGITS);
        return PREFIX + stem + (attempt > 1 ? "-" + attempt : "");
    }

    /** What Kaggle makes the same slug of: it lowers letters and joins words by hyphens. */
    static String title(String slug) {
        return slug.replace('-', ' ');
    }

    private static String shortened(String plain) {
        return plain.substring(0, Math.min(SHORTENED, plain.length())).replaceAll("-$", "");
    }
}

package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import net.gcardone.junidecode.Junidecode;

/**
 * The user-facing id of a job, made before anything is sent: the same origin always gives the same key, so that a
 * submission whose answer was lost is found instead of repeated. It travels as job name, comment or label, and never
 * changes while attempts come and go.
 *
 * @param value a letter or digit, then at most 62 letters, digits, dots, underscores and hyphens; safe as a file name,
 *     a Slurm job name and the stem of a Kubernetes name
 */
public record JobKey(String value) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final int NAME_LENGTH = 32;
    private static final int DIGITS = 12;

    public JobKey {
        require(
                FORM.matcher(value).matches(),
                "job id '%s' must start with a letter or digit and have at most 63 letters, digits, '.', '_' or '-'",
                value);
    }

    /**
     * The key of one origin.
     *
     * @param name what a person calls the job; its letters and digits are kept, those of other scripts in Latin letters
     * @param origin what tells this submission from every other, for example Jenkins instance, build and flow node
     */
    public static JobKey derive(String name, String... origin) {
        return of(Junidecode.unidecode(Normalizer.normalize(name, Normalizer.Form.NFC)), origin);
    }

    /** The key that earlier builds of the plugin gave the same origin: of its name they kept the letters of ASCII alone. */
    public static JobKey ofAscii(String name, String... origin) {
        return of(name, origin);
    }

    private static JobKey of(String name, String... origin) {
        String stem =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String head = stem.substring(0, Math.min(NAME_LENGTH, stem.length())).replaceAll("-$", "");
        return new JobKey((head.isEmpty() ? "job" : head) + "-" + Fingerprint.of(String.join("\n", origin), DIGITS));
    }

    @Override
    public String toString() {
        return value;
    }
}

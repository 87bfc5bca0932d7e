package io.jenkins.plugins.tao.backend.lepton.request;

import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The name of one attempt: at most 36 characters, a letter first, unique by a digest of the whole job id and the attempt,
 * so that what is cut off makes no two alike.
 */
public final class LeptonName {
    static final int MOST = 36;

    private static final String HEAD = "tao-";
    private static final int DIGEST = 12;
    private static final int STEM = MOST - HEAD.length() - DIGEST - 1;

    private LeptonName() {}

    public static String of(JobKey key, int attempt) {
        String plain = key.value().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String stem = plain.substring(0, Math.min(STEM, plain.length())).replaceAll("^-+|-+$", "");
        return HEAD + (stem.isEmpty() ? "" : stem + "-") + Fingerprint.of(key.value() + "\n" + attempt, DIGEST);
    }

    /** The name of the secret that holds one variable of one attempt: capitals, as Lepton's own have. */
    public static String secret(JobKey key, int attempt, String variable) {
        return "TAO_" + Fingerprint.of(key.value() + "\n" + attempt, DIGEST).toUpperCase(Locale.ROOT) + "_" + variable;
    }

    /**
     * The names of all secrets of a first attempt, by variable. The job's own are made for it and go with it; the
     * storage's are the target's, so they are made once for each key and stay.
     */
    public static Map<String, String> secrets(LeptonPlan plan, Map<String, Secret> secrets) {
        Map<String, String> names = new LinkedHashMap<>();
        secrets.forEach((variable, value) -> {
            boolean own = plan.spec().secrets().containsKey(variable);
            String kept = "TAO_S3_" + Fingerprint.of(value.reveal(), DIGEST).toUpperCase(Locale.ROOT) + "_" + variable;
            names.put(variable, own ? secret(plan.key(), 1, variable) : kept);
        });
        return names;
    }

    /** Whether a secret was made by {@link #secret}, whatever suffix the workspace added. */
    public static boolean isOurSecret(String name) {
        return name.matches("TAO_[0-9A-F]{" + DIGEST + "}_.+");
    }

    /** The name of the pull secret of one key: another key, another secret. */
    public static String pullSecret(String ngcKey) {
        return "tao-ngc-" + Fingerprint.of(ngcKey, 8);
    }
}

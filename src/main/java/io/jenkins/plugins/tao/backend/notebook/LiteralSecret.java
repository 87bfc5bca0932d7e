package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.job.JobSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds what looks like a secret in a job's open texts: a notebook's source is kept in every version of it. Pure. */
final class LiteralSecret {
    private static final Pattern NAME = Pattern.compile(
            "(?:^|_)(?:SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|NGC_KEY|TOKEN|CREDENTIALS?)(?:_|$)",
            Pattern.CASE_INSENSITIVE);
    private static final List<Pattern> SHAPES = List.of(
            Pattern.compile("nvapi-[A-Za-z0-9_-]{16,}"),
            Pattern.compile("\\bhf_[A-Za-z0-9]{20,}"),
            Pattern.compile("\\bgh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}"),
            Pattern.compile("\\bAKIA[A-Z0-9]{16}\\b"),
            Pattern.compile("\\bxox[baprs]-[A-Za-z0-9-]{10,}"),
            Pattern.compile("\\bsk-[A-Za-z0-9_-]{20,}"),
            Pattern.compile("X-Amz-(?:Signature|Credential|Security-Token)="),
            Pattern.compile("https?://[^\\s/@:]+:[^\\s/@$]+@"));

    private LiteralSecret() {}

    /** Where the first one stands, never what it is. */
    static Optional<String> in(JobSpec spec) {
        for (Map.Entry<String, String> variable : spec.env().entrySet()) {
            boolean named = NAME.matcher(variable.getKey()).find();
            if ((named && !variable.getValue().isBlank()) || looksLikeOne(variable.getValue())) {
                return Optional.of("the variable " + variable.getKey());
            }
        }
        if (looksLikeOne(spec.hooks().around(spec.command()))) {
            return Optional.of("the command");
        }
        return looksLikeOne(spec.spec().toString()) ? Optional.of("the spec") : Optional.empty();
    }

    private static boolean looksLikeOne(String text) {
        return SHAPES.stream().anyMatch(shape -> shape.matcher(text).find());
    }
}

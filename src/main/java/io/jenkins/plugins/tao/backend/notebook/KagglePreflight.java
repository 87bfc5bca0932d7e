package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The checks before a job: what the job asks for, whose the credential is, how much GPU time is left. */
record KagglePreflight(KaggleTarget target, KaggleApi api) {
    Report report(JobSpec spec) throws BackendException {
        KaggleShape shape = new KaggleShape(target, spec);
        List<Check> checks = new ArrayList<>(shape.checks());
        try {
            checks.add(credential());
            checks.add(quota(shape));
        } catch (Denied e) {
            checks.add(Check.failed("credential", String.valueOf(e.getMessage()), e.remedy()));
            checks.add(Check.skipped("quota", "the credential is not taken"));
        }
        return new Report(checks);
    }

    private Check credential() throws BackendException {
        KaggleApi.Proof proof = api.owner();
        if (!proof.made()) {
            return Check.warning(
                    "credential",
                    "Kaggle does not answer the question whether it is taken.",
                    "Look with Kaggle's own client (kaggle kernels list --mine) whether the credential is good.");
        }
        Optional<String> owner = proof.owner();
        return owner.isPresent() && !owner.get().equalsIgnoreCase(target.username())
                ? Check.failed(
                        "credential",
                        "The token belongs to " + owner.get() + ", the target says " + target.username() + ".",
                        "Give the target a token of " + target.username() + ", or that user's name.")
                : Check.passed("credential", "taken for " + target.username());
    }

    private Check quota(KaggleShape shape) throws BackendException {
        if (shape.gpus() == 0) {
            return Check.passed("quota", "no GPU time is asked for");
        }
        Optional<JsonNode> quota = api.quota();
        Optional<Duration> left = quota.flatMap(KaggleReply::gpuTimeLeft);
        if (left.isEmpty()) {
            return Check.warning(
                    "quota",
                    "Kaggle does not report how much GPU time is left; about 30 hours a week are free.",
                    "Look at the account's settings on kaggle.com.");
        }
        String renewed = quota.map(node -> node.path("quotaRefreshTime").asText(""))
                .filter(text -> !text.isBlank())
                .map(text -> ", renewed at " + text)
                .orElse("");
        String told = Durations.words(left.get()) + " of "
                + Durations.words(quota.flatMap(KaggleReply::gpuTimeAllowed).orElse(Duration.ZERO))
                + " GPU time are left this week" + renewed;
        if (left.get().isNegative() || left.get().isZero()) {
            return Check.failed("quota", told + ".", "Wait for that, ask for no GPU, or use another target.");
        }
        return left.get().compareTo(shape.session()) < 0
                ? Check.warning(
                        "quota",
                        told + ", one session of the job may take " + Durations.words(shape.session()) + ".",
                        "Let the command write checkpoints: Kaggle ends the session when the quota is used up.")
                : Check.passed("quota", told);
    }
}

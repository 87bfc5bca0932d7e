package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.fabric8.kubernetes.api.model.Quantity;
import io.jenkins.plugins.tao.backend.kubernetes.checks.SecurityChecks;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.Outlook;
import io.jenkins.plugins.tao.job.text.WordRow;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why the cluster makes no pod of a Job, and whether it ever will while nobody changes anything. Pure. */
final class Refusal {
    /** What a manifest or an operator is still making is there within this time. */
    static final Duration GRACE = Duration.ofMinutes(5);

    private static final Pattern QUOTA =
            Pattern.compile("exceeded quota: .*?requested: (.+?), used: .*?, limited: (\\S+)");

    private Refusal() {}

    private static Stream<WordRow> known(String message) {
        return ClusterWords.in("never|later", message);
    }

    /** Why the cluster made no pod when it last tried; empty when it did. */
    static Optional<PendingWords.Reason> of(JobView view) {
        // each try has another name for the pod, which is no other reason
        String pod = "\"" + Pattern.quote(view.name()) + "-(\\d+-)?[a-z0-9]{5}\"";
        return said(view)
                .map(message -> message.replaceAll(pod, "\"" + view.name() + "-…\""))
                .map(message -> new PendingWords.Reason(
                        "FailedCreate", "no pod can be made: " + message + advice(view, message)));
    }

    private static Optional<String> said(JobView view) {
        return view.lastEvent("Job", view.name(), "FailedCreate");
    }

    private static String advice(JobView view, String message) {
        if (message.contains("exceeded quota")) {
            return exceedsAll(view, message)
                    ? "; the namespace's ResourceQuota is used up, and more than the whole of it is asked for: ask for less, or have it raised"
                    : "; the namespace's ResourceQuota is used up: wait, ask for less, or have it raised";
        }
        if (message.contains("PodSecurity")) {
            return ". " + SecurityChecks.remedy(message);
        }
        return known(message).map(WordRow::words).findFirst().orElse("");
    }

    /** What is to be expected of a Job that lacks pods. */
    static Outlook outlook(JobView view) {
        boolean never = said(view)
                .flatMap(message -> forGood(view, message))
                .filter(time -> time.isZero() || isOlder(view, time))
                .isPresent();
        return never ? Outlook.NEVER : Outlook.NONE;
    }

    private static Optional<Duration> forGood(JobView view, String message) {
        if (message.contains("violates PodSecurity") || exceedsAll(view, message)) {
            return Optional.of(Duration.ZERO);
        }
        return message.contains("exceeded quota")
                ? Optional.empty()
                : known(message)
                        .map(row -> row.kind().equals("never") ? Duration.ZERO : GRACE)
                        .findFirst();
    }

    /** Whether the Job was made longer than {@code time} ago. */
    static boolean isOlder(JobView view, Duration time) {
        return PodView.time(view.job().getMetadata().getCreationTimestamp())
                .flatMap(made -> view.now().filter(made.plus(time)::isBefore))
                .isPresent();
    }

    /** Whether the pods that only together are of use, or one of others, ask for more than a quota allows in all. */
    private static boolean exceedsAll(JobView view, String message) {
        Matcher quota = QUOTA.matcher(message);
        if (!quota.find()) {
            return false;
        }
        Map<String, Double> limited = amounts(quota.group(2));
        int pods = view.isGang() ? view.expectedPods() : 1;
        return amounts(quota.group(1)).entrySet().stream()
                .anyMatch(each -> each.getValue() * pods > limited.getOrDefault(each.getKey(), Double.MAX_VALUE));
    }

    private static Map<String, Double> amounts(String text) {
        return Stream.of(text.split(",", -1))
                .map(pair -> pair.split("=", 2))
                .filter(pair -> pair.length == 2 && pair[1].matches("\\d[0-9.]*(m|[kMGTPE]i?)?"))
                .collect(Collectors.toMap(
                        pair -> pair[0].strip(),
                        pair -> new Quantity(pair[1]).getNumericalAmount().doubleValue(),
                        (one, other) -> one));
    }
}

package io.jenkins.plugins.tao.monitor.poll;

import io.jenkins.plugins.tao.job.Attempt;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Whether what the attempts of a job have used and shown speaks against another one. Pure. */
final class RetryDecision {
    /** A program that a bad node ends has mostly not come to its work. */
    private static final Duration AT_ONCE = Duration.ofMinutes(5);

    private RetryDecision() {}

    /**
     * What is to be told in place of {@code failed} where the job is not tried again; empty where it may be.
     *
     * @param before the attempts before
     * @param now the attempt that has just ended
     */
    static Optional<Failed> against(JobHandle job, List<Attempt> before, Attempt now, Failed failed) {
        return sameElsewhere(before, now, failed).or(() -> overBudget(job, before, now, failed));
    }

    /** Two machines do not break alike: the same line at once on two nodes is the job's. */
    private static Optional<Failed> sameElsewhere(List<Attempt> before, Attempt now, Failed failed) {
        return before.stream()
                .filter(attempt -> isQuick(attempt) && isQuick(now))
                .filter(attempt -> !now.line().isBlank() && bare(attempt).equals(bare(now)))
                .filter(attempt -> areOthers(attempt.failedNodes(), now.failedNodes()))
                .findFirst()
                .map(attempt -> {
                    Set<String> nodes = new TreeSet<>(attempt.failedNodes());
                    nodes.addAll(now.failedNodes());
                    String why = " It failed at once and with the same line on " + String.join(" and ", nodes)
                            + ": the job is the likely cause, and it is not tried again.";
                    return new Failed(Cause.PROGRAM, failed.detail() + why, failed.remedy(), failed.evidence());
                });
    }

    private static Optional<Failed> overBudget(JobHandle job, List<Attempt> before, Attempt now, Failed failed) {
        Duration time =
                Stream.concat(before.stream(), Stream.of(now)).map(Attempt::ran).reduce(Duration.ZERO, Duration::plus);
        return job.retryBudget()
                .filter(budget -> budget.isUsedUp(time, job.gpus().orElse(1)))
                .map(budget -> failed.withDetail(failed.detail()
                        + " It is not tried again: its failed attempts have used up the retry budget of "
                        + budget.text()
                        + "."));
    }

    private static boolean isQuick(Attempt attempt) {
        return attempt.ran().compareTo(AT_ONCE) < 0;
    }

    private static boolean areOthers(Set<String> some, Set<String> others) {
        return !some.isEmpty() && !others.isEmpty() && some.stream().noneMatch(others::contains);
    }

    /** Numbers and the names of nodes differ from attempt to attempt. */
    private static String bare(Attempt attempt) {
        String line = attempt.line();
        for (String node : attempt.failedNodes()) {
            line = line.replace(node, "");
        }
        return line.replaceAll("\\b(?:0x)?[0-9a-f]*[0-9][0-9a-f]*\\b", "#");
    }
}

package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.FirstFailure;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How a Job had ended, in one line that is noted on it before we end its pods: afterwards the cluster tells of our deadline only. Pure. */
public final class EndNote {
    private static final String NONE = "-";
    private static final int WORDS = 6;

    private EndNote() {}

    /** One line of a status, for {@link #of}. */
    static String render(JobStatus status) {
        Optional<FirstFailure> first = status.firstFailure();
        return String.join(
                        " ",
                        status.ending().orElse(Ending.UNKNOWN).name(),
                        status.exitCode().isPresent()
                                ? String.valueOf(status.exitCode().getAsInt())
                                : NONE,
                        status.nativeState(),
                        first.map(rank -> String.valueOf(rank.rank())).orElse(NONE),
                        first.map(FirstFailure::node).orElse(NONE),
                        status.reason().orElse(""))
                .strip();
    }

    /**
     * The line for a Job that attempt {@code next} follows: machines were to blame, whatever the Job shows once its pods are gone. Else
     * an attempt that breaks off after this would not be taken up again.
     */
    public static String replaced(JobView view, int next) {
        JobStatus seen = KubernetesReply.status(view, Optional.empty(), Optional.empty());
        boolean ended = seen.state() == JobState.ENDED;
        JobStatus told = JobStatus.ended(Ending.NODE_FAILURE, ended ? seen.nativeState() : "NodeLost")
                .withReason((ended ? seen.reason().orElse("") : "its node was lost") + "; attempt " + next
                        + " takes its place");
        return render(seen.firstFailure().map(told::withFirstFailure).orElse(told));
    }

    /** How the Job had ended; empty for one without such a note. */
    static Optional<JobStatus> of(JobView view) {
        List<String> words = view.note(KubernetesNames.FINISHED)
                .map(text -> Arrays.asList(text.split(" ", WORDS)))
                .orElse(List.of());
        if (words.size() < WORDS - 1) {
            return Optional.empty();
        }
        JobStatus status = JobStatus.ended(ending(words.get(0)), words.get(2));
        if (words.get(1).matches("\\d{1,3}")) {
            status = status.withExitCode(Integer.parseInt(words.get(1)));
        }
        if (words.get(3).matches("\\d{1,6}")) {
            status = status.withFirstFailure(new FirstFailure(Integer.parseInt(words.get(3)), words.get(4)));
        }
        return Optional.of(words.size() < WORDS ? status : status.withReason(words.get(WORDS - 1)));
    }

    private static Ending ending(String word) {
        return Arrays.stream(Ending.values())
                .filter(each -> each.name().equals(word))
                .findFirst()
                .orElse(Ending.UNKNOWN);
    }
}

package io.jenkins.plugins.tao.backend.slurm.rest;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.Collection;
import java.util.List;

/** Shell functions of the names of Slurm's commands that tell what REST has answered. Pure. */
final class RestShell {
    private static final String ROUND = OwnFile.text(RestShell.class, "rest.sh");

    private RestShell() {}

    /** What {@code poll.sh} is told; what nodes hold of their memory is not to be had by REST. */
    static String look(Collection<String> queue, Collection<String> past) {
        return function("squeue_rows", queue)
                + "squeue() { case \" $* \" in *' -O '*) return 1 ;; *) squeue_rows ;; esac; }\n"
                + function("sacct", past)
                + "scontrol() { echo 'Invalid job id specified'; return 1; }\n"; // of each job REST was asked
    }

    static String list(Collection<String> lines) {
        return function("squeue", lines);
    }

    static String checks(String about, Collection<String> partitions) {
        return function("slurm_rest", List.of(about)) + function("sinfo", partitions);
    }

    static String diagnosis(Collection<String> rows) {
        return function("sacct", rows) + "scontrol() { return 1; }\n";
    }

    /** A cancel that only leaves its mark: {@code scancel} fails, and the secrets stay until the job is told. */
    static String mark() {
        return "scancel() { return 1; }\n";
    }

    /** The first round of a submission. */
    static String firstRound(String turn, String text) {
        return round(turn, "", "", text);
    }

    /** The round after the jobs of this name were looked for. */
    static String foundRound(String turn, List<String> queued, List<String> past, String text) {
        String found = "looked=1\nfound_queued=" + quote(String.join("\n", queued)) + "\nfound_past="
                + quote(String.join("\n", past)) + "\n";
        return round(turn, found, "", text);
    }

    /**
     * The last round.
     *
     * @param outcome of the request to take the job: {@code taken}, {@code refused}, or {@code unclear} where it is not known whether
     *     Slurm took it: it is looked for by its name the next time
     * @param said the id, or Slurm's words
     */
    static String lastRound(String turn, String outcome, String said, String text) {
        String answer = "outcome=" + outcome + "\nanswered=" + quote(said) + "\n";
        return round(turn, "looked=1\nfound_queued=\nfound_past=\n", answer, text);
    }

    private static String round(String turn, String found, String outcome, String text) {
        return "rounds=1\nlooked=\noutcome=\nturn=" + quote(turn) + "\n" + found + outcome + text + "\n" + ROUND;
    }

    private static String function(String name, Collection<String> lines) {
        return name + "() { " + (lines.isEmpty() ? ":" : "printf '%s\\n' " + quote(String.join("\n", lines))) + "; }\n";
    }
}

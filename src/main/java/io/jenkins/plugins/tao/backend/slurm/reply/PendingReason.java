package io.jenkins.plugins.tao.backend.slurm.reply;

import io.jenkins.plugins.tao.backend.MemberFold;
import io.jenkins.plugins.tao.job.text.WordRow;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Why a job waits, in words.
 *
 * @see <a href="https://slurm.schedmd.com/job_reason_codes.html">Job Reason Codes</a>
 * @param words what Slurm's code means
 * @param never whether waiting longer cannot help
 */
public record PendingReason(String words, boolean never) {
    /** What {@link #explain} says of a job that waits in vain. */
    public static final String NEVER = MemberFold.NEVER;

    private static final List<WordRow> KNOWN = WordRow.read(PendingReason.class, "pending-reasons.txt");

    private static final Pattern MAINTENANCE = Pattern.compile("(?i)\\bmaint(enance)?\\b");
    private static final Pattern NO_LIST = Pattern.compile(", UnavailableNodes:\\s*$");
    private static final String LONG_REASON = "Nodes required for job are DOWN";
    private static final PendingReason RESERVED = new PendingReason(
            "its nodes are reserved for a maintenance, and it would run into that; a time limit that ends before it lets the"
                    + " job start",
            false);

    /** Slurm's code and what it means: {@code Resources: next in line, waiting for free nodes}. */
    public static String explain(String reason) {
        String told = NO_LIST.matcher(reason).replaceFirst("");
        return of(reason)
                .map(known -> told + ": " + (known.never ? NEVER + ", " : "") + known.words)
                .orElse(told);
    }

    /** What is known of a reason; empty for a code from another Slurm. */
    public static Optional<PendingReason> of(String reason) {
        if (MAINTENANCE.matcher(reason).find()) {
            return Optional.of(RESERVED);
        }
        String code = reason.startsWith(LONG_REASON) ? "ReqNodeNotAvail" : code(reason);
        return KNOWN.stream()
                .filter(row -> row.sign().matcher(code).matches())
                .findFirst()
                .map(row -> new PendingReason(row.words(), row.kind().equals("never")));
    }

    /** Whether it says only what a job waited for: Slurm keeps such a reason of a job that is cancelled meanwhile. */
    public static boolean isWait(String reason) {
        return of(reason).map(known -> !known.never).orElse(false);
    }

    /** Whether somebody has to release the job: then the time at which Slurm would start it says nothing. */
    public static boolean isHeld(String reason) {
        return of(reason).filter(known -> known.words.startsWith("held")).isPresent();
    }

    private static String code(String reason) {
        return reason.split("[,( ]", 2)[0];
    }
}

package io.jenkins.plugins.tao.backend.slurm.reply;

import io.jenkins.plugins.tao.backend.MemberFold;
import java.util.Map;
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

    private static final Map<String, PendingReason> KNOWN = Map.ofEntries(
            waits("Resources", "next in line, waiting for free nodes"),
            waits("Priority", "jobs with higher priority are ahead"),
            waits("Dependency", "waits for another job"),
            waits("BeginTime", "put back into the queue by Slurm, which starts it again after a short wait"),
            waits("ReqNodeNotAvail", "a node it asks for is down, drained or reserved"),
            waits("Prolog", "its nodes are being prepared"),
            waits("Reservation", "waits for its reservation to begin"),
            waits("Licenses", "waits for a licence"),
            waits("PartitionDown", "its partition is closed for now; an admin must open it"),
            waits("PartitionInactive", "its partition is closed for now; an admin must open it"),
            waits("JobHeldUser", "held; release it with: scontrol release"),
            waits("JobHeldAdmin", "held by an admin; ask the site's support"),
            waits("JobHoldMaxRequeue", "held, for it was put back too often; release it with: scontrol release"),
            waits("launch", "held, for a node could not start it; look at its logs, then: scontrol release"),
            waits("JobArrayTaskLimit", "waits for other tasks of its array"),
            waits("QOSMaxGRESPerUser", "you use all GPUs your QOS allows; it starts when one of your jobs ends"),
            waits("QOSMaxJobsPerUserLimit", "you run all jobs your QOS allows; it starts when one of them ends"),
            waits("QOSGrpGRES", "your QOS uses all its GPUs; it starts when one of its jobs ends"),
            waits("AssocMaxJobsLimit", "your account runs all jobs it may; it starts when one of them ends"),
            waits("AssocGrpGRES", "your account uses all GPUs it may, or this job asks for more than it may ever have"),
            never("PartitionTimeLimit", "its wall time is longer than the partition allows; lower it"),
            never("PartitionNodeLimit", "it asks for more nodes than the partition has or allows; lower nodes"),
            never("PartitionConfig", "the partition has no node that fits; lower cpus, memory or GPUs"),
            never("DependencyNeverSatisfied", "the job it waits for did not succeed"),
            never("BadConstraints", "no node can ever fit what it asks for"),
            never("AccountNotAllowed", "the partition does not take its account; set another account or partition"),
            never("QOSNotAllowed", "the partition does not take its QOS; set another qos or partition"),
            never("InvalidAccount", "its account is not valid; set account"),
            never("InvalidQOS", "its QOS is not valid; set qos"),
            never("AssocMaxWallDurationPerJobLimit", "its wall time is longer than the account allows; lower it"),
            never("QOSMaxWallDurationPerJobLimit", "its wall time is longer than the QOS allows; lower it"),
            never("QOSMaxGRESPerJob", "it asks for more GPUs than the QOS allows one job; lower gpus or nodes"));

    /** Limits come in many kinds, CPUs, nodes, memory, billing; each version of Slurm has more of them. */
    private static final Pattern OF_ONE_JOB =
            Pattern.compile("(QOS|Assoc)(Max|Min)\\w*Per(Job|Node)\\w*|QOSMin\\w+|MaxMemPerLimit");

    private static final Pattern BUDGET = Pattern.compile("(QOS|Assoc)\\w*(?<!Run)Minutes\\w*");
    private static final Pattern SHARED = Pattern.compile("(QOS|Assoc)(Grp|Max)\\w+|Max\\w+PerAccount");

    private static final Pattern MAINTENANCE = Pattern.compile("(?i)\\bmaint(enance)?\\b");
    private static final Pattern NO_LIST = Pattern.compile(", UnavailableNodes:\\s*$");
    private static final String LONG_REASON = "Nodes required for job are DOWN";
    private static final PendingReason RESERVED = new PendingReason(
            "its nodes are reserved for a maintenance, and it would run into that; a time limit that ends before it lets the"
                    + " job start",
            false);

    private static final PendingReason TOO_MUCH =
            new PendingReason("it asks for more, or less, than its QOS or account allows one job; change it", true);
    private static final PendingReason USED_UP = new PendingReason(
            "the hours that its QOS or account was given are used up; ask the site for more, or wait for the next period",
            false);
    private static final PendingReason IN_USE =
            new PendingReason("its QOS or account uses all it may; it starts when another job of it ends", false);

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
        return Optional.ofNullable(KNOWN.get(code)).or(() -> ofLimit(code));
    }

    /** Whether it says only what a job waited for: Slurm keeps such a reason of a job that is cancelled meanwhile. */
    public static boolean isWait(String reason) {
        return of(reason).map(known -> !known.never).orElse(false);
    }

    /** Whether somebody has to release the job: then the time at which Slurm would start it says nothing. */
    public static boolean isHeld(String reason) {
        return reason.contains("held state")
                || of(reason).filter(known -> known.words.startsWith("held")).isPresent();
    }

    private static Optional<PendingReason> ofLimit(String code) {
        if (OF_ONE_JOB.matcher(code).matches()) {
            return Optional.of(TOO_MUCH);
        }
        if (BUDGET.matcher(code).matches()) {
            return Optional.of(USED_UP);
        }
        return SHARED.matcher(code).matches() ? Optional.of(IN_USE) : Optional.empty();
    }

    private static String code(String reason) {
        return reason.split("[,( ]", 2)[0];
    }

    private static Map.Entry<String, PendingReason> waits(String code, String words) {
        return Map.entry(code, new PendingReason(words, false));
    }

    private static Map.Entry<String, PendingReason> never(String code, String words) {
        return Map.entry(code, new PendingReason(words, true));
    }
}

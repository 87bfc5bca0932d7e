package io.jenkins.plugins.tao.backend.slurm.options;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of one attempt of an array, in Slurm's own notation: {@code 4711_[0-15]}. It names the members of this attempt
 * only; what was completed before is not sent again.
 *
 * @param id the array's own id, which its last member to start has as well
 */
public record ArrayId(String id, SlurmArray array) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})_\\[([0-9,:-]+)]");
    private static final Pattern MEMBER = Pattern.compile("\\d{1,18}_\\d{1,7}");

    /** The array that a job is; empty for a plain job and for a single member. */
    public static Optional<ArrayId> of(JobHandle job) {
        Matcher form = FORM.matcher(job.nativeId());
        try {
            return form.matches()
                    ? Optional.of(new ArrayId(form.group(1), SlurmArray.parse(form.group(2))))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether {@code job} is a single member of an array. */
    public static boolean isMember(JobHandle job) {
        return MEMBER.matcher(job.nativeId()).matches();
    }

    /** The id that Slurm's commands take for all of the job: {@code 4711} of {@code 4711_[0-15]}, and of {@code 4711}. */
    public static String whole(JobHandle job) {
        return of(job).map(ArrayId::id).orElse(job.nativeId());
    }

    public String render() {
        return id + "_[" + array.indices() + "]";
    }

    public String member(int index) {
        return id + "_" + index;
    }

    /**
     * A handle for member {@code index} of {@code job}.
     *
     * @throws Rejected if it is no array or has no such member
     */
    public static JobHandle memberOf(JobHandle job, int index) throws Rejected {
        Optional<ArrayId> array = of(job);
        if (array.isEmpty()) {
            throw new Rejected(
                    job.shortName() + " is no array, so it has no member " + index + ".", "Leave out [" + index + "].");
        }
        if (!array.get().array().members().contains(index)) {
            throw new Rejected(
                    job.shortName() + " has no member " + index + ".",
                    "Its members are " + array.get().array().indices() + ".");
        }
        return array.get().member(job, index);
    }

    /** A handle for one member of {@code job}, which is this array. */
    public JobHandle member(JobHandle job, int index) {
        return new JobHandle(
                job.target(),
                job.backend(),
                job.key(),
                job.attempt(),
                member(index),
                job.jobDirectory(),
                job.resultsDirectory() + "/" + index,
                job.submittedAt());
    }
}

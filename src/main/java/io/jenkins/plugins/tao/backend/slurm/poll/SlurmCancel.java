package io.jenkins.plugins.tao.backend.slurm.poll;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmRefusal;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.remote.host.JointScript;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.LeaseNote;
import io.jenkins.plugins.tao.remote.shell.LeaseShell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks Slurm to end one attempt, unless another controller holds the job. The name guards the id: one given to another
 * job by now is left alone. The text follows the functions of leases.
 */
public final class SlurmCancel {
    private static final String HELD = "tao-held ";

    private SlurmCancel() {}

    /**
     * Leaves the request on the disk first, so that the frame does not put the job back into the queue meanwhile. Where the job asks for a
     * grace, its frame is asked to end it, once; a request after that time, and a member of an array, is ended by Slurm.
     */
    public static String render(JobHandle job) {
        SlurmLayout layout = SlurmLayout.of(job);
        String end = "scancel " + words(job) + " 2>&1";
        if (ArrayId.isMember(job)) {
            return unlessHeld(job, end); // the mark is the whole job's: the other members go on
        }
        String mark = quote(layout.cancelMark(job.key()));
        return unlessHeld(
                job,
                "grace=$(sed -n 's/^tao_grace=//p' " + quote(layout.script(job.key())) + " 2> /dev/null | head -n 1)",
                "now=$(date +%s)",
                "asked=$(stat -c %Y " + mark + " 2> /dev/null) || asked=$now",
                "[ -e " + mark + " ] || { printf '' > " + mark + "; } 2> /dev/null",
                "if [ -e " + mark + " ] && [ $((now - asked)) -lt \"${grace:-0}\" ]; then",
                "  scancel --state=PENDING " + words(job) + " 2>&1 && scancel --signal=TERM --batch " + words(job)
                        + " 2>&1",
                "  code=$?",
                "  (sleep $((grace + 60)); scancel " + words(job) + ") > /dev/null 2>&1 < /dev/null &",
                "  (exit $code)",
                "else",
                "  " + end + " && rm -f " + quote(layout.secrets(job.key(), job.attempt())),
                "fi");
    }

    private static String words(JobHandle job) {
        return "--name=" + quote(SlurmLayout.jobName(job.key())) + " " + quote(ArrayId.whole(job));
    }

    private static String unlessHeld(JobHandle job, String... lines) {
        SlurmLayout layout = SlurmLayout.of(job);
        String lease = quote(layout.lease(job.key()));
        return "if [ -d " + lease + " ] || [ -e " + quote(layout.script(job.key())) + " ]; then lease_take " + lease
                + " || { printf 'tao-held %s\\n' \"$(lease_tell " + lease + ")\"; exit 0; }; fi\n"
                + "LC_ALL=C; export LC_ALL\n" + String.join("\n", lines);
    }

    /**
     * Asks Slurm to end one attempt if it is pending. No request is left on the disk and no secret is removed: a job that has begun
     * goes on as if nobody had asked.
     */
    public static String renderWaiting(JobHandle job) {
        return unlessHeld(job, "scancel --state=PENDING " + words(job) + " 2>&1");
    }

    /** The same for several jobs. */
    public static String render(List<JobHandle> jobs) {
        return JointScript.render(jobs.stream().map(SlurmCancel::render).toList());
    }

    /** Makes the job this controller's own. */
    public static String takeOver(JobHandle job) {
        String lease = quote(SlurmLayout.of(job).lease(job.key()));
        return "[ ! -d " + lease + " ] || lease_take " + lease + " force || printf 'tao-held %s\\n' \"$(lease_tell "
                + lease + ")\"";
    }

    /**
     * Throws when another controller holds the job.
     *
     * @throws Rejected naming it
     */
    public static void checkHeld(JobHandle job, String said) throws Rejected {
        Optional<LeaseNote> note = said.lines()
                .filter(line -> line.startsWith(HELD))
                .findFirst()
                .flatMap(line -> LeaseNote.parse(line.substring(HELD.length())));
        if (note.isPresent()) {
            throw LeaseShell.refused(job.shortName(), note.get());
        }
    }

    /** What kept jobs from being asked, as {@link #check} tells it of one. */
    public static Map<JobHandle, BackendException> refusals(String target, List<JobHandle> jobs, Reply reply)
            throws BackendException {
        Map<JobHandle, BackendException> refusals = new LinkedHashMap<>();
        List<JointScript.Part> parts = JointScript.read(target, jobs.size(), reply);
        for (int i = 0; i < parts.size(); i++) {
            try {
                check(target, jobs.get(i), parts.get(i).ok(), parts.get(i).said());
            } catch (BackendException e) {
                refusals.put(jobs.get(i), e);
            }
        }
        return refusals;
    }

    /** Ended already, or never there, is as good as cancelled. */
    public static void check(String target, JobHandle job, Reply reply) throws BackendException {
        check(target, job, reply.ok(), reply.text() + reply.err());
    }

    private static void check(String target, JobHandle job, boolean ok, String said) throws BackendException {
        checkHeld(job, said);
        if (ok || said.contains("Invalid job id specified") || said.contains("already complet")) {
            return;
        }
        if (said.contains("denied")) {
            throw new Denied(
                    "Slurm on " + target + " did not let us cancel " + job.shortName() + ": " + said.strip(),
                    "Log in as the user who submitted the job.");
        }
        throw SlurmRefusal.ofQuery(target, "scancel", said);
    }
}

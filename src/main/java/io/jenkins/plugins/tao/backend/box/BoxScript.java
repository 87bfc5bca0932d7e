package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.Work;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.host.JointScript;
import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import io.jenkins.plugins.tao.remote.shell.Staging;
import io.jenkins.plugins.tao.spec.FilledJob;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Shell text for a machine without a scheduler. Pure. */
final class BoxScript {
    /** What every script of a box begins with. */
    static final String BOX = OwnFile.text(BoxScript.class, "box.sh");
    /** What each look begins with. */
    static final String LOOK = BOX + OwnFile.text(BoxScript.class, "poll.sh");

    /** What a line of leases begins with in the answer to a look. */
    static final String LEASE = "lease ";

    private static final int TIDYING_SECONDS = 30;
    private static final String CANCEL = OwnFile.text(BoxScript.class, "cancel.sh");
    private static final String DIAGNOSE = OwnFile.text(BoxScript.class, "diagnose.sh");

    /** Exit code: the attempt before has told its end, and some process of it goes on. */
    static final int STILL_RUNS = 4;

    /** Exit code: an earlier start of this attempt was not confirmed in time and has been withdrawn. */
    static final int WITHDRAWN = 6;
    /** Exit code: the box was started anew, and the job says that this is its end. */
    static final int NOT_AFTER_REBOOT = 7;
    /** Exit code: a GPU of this box is dead. */
    static final int DEAD_GPU = 8;

    /** Exit code: this id is another job's. */
    static final int OTHER_WORK = 10;

    /** Exit code: the code of the job is not there. */
    static final int NO_CODE = 11;

    /** Exit code: another controller holds the job; standard error has its lease as {@code lease_tell} writes it. */
    static final int HELD = 12;

    private static final int START_STEPS = 200;

    private BoxScript() {}

    /** Stages a job that is not there yet, starts its wrapper behind its gate, and answers with {@code started epoch}. */
    static String submit(BoxPlace place, String jobDirectory, String specFile, BoxFiles files, JobSpec spec) {
        String attempt = BoxLayout.attempt(jobDirectory, 1);
        StringBuilder stage = new StringBuilder(Staging.directory(files.resultsDirectory()));
        stage.append("tao_umask=$(umask); umask 077\n").append(Staging.directory(attempt));
        if (!files.spec().isEmpty()) {
            stage.append(Staging.directory(FilledJob.parent(specFile))).append(Staging.file(specFile, files.spec()));
        }
        BoxFiles.options(spec).preparation().code().ifPresent(name -> stage.append(code(place, jobDirectory, name)));
        spec.code().ifPresent(id -> stage.append(code(BoxLayout.code(place.base(), id), jobDirectory)));
        if (files.repaired()) {
            stage.append("echo 'tao: took the line ends of Windows (CR) out of the command' >>")
                    .append(quote(jobDirectory + "/main.err"))
                    .append('\n');
        }
        files.job().forEach((name, text) -> stage.append(Staging.file(jobDirectory + "/" + name, text)));
        stage.append(Staging.file(jobDirectory + "/request", Work.of(spec) + "\n"));
        return same(jobDirectory, attempt, Work.of(spec)) + begin(attempt) + held(jobDirectory) + stage
                + start(attempt, spec.secrets()) + "fi\n" + confirm(attempt);
    }

    /** The version of a pushed tree that is newest now; a later push changes nothing for this job. */
    private static String code(BoxPlace place, String jobDirectory, String name) {
        String current = place.base() + "/code/" + name + "/current";
        return "tao_code=$(cd -P -- " + quote(current) + " && pwd) || { echo "
                + quote("no code '" + name + "' was pushed") + " >&2; exit 9; }\nprintf '%s\\n' \"$tao_code\" >"
                + quote(jobDirectory + "/work") + "\n";
    }

    /** Noted before it is looked for: whoever tidies up finds one of the two. */
    private static String code(String directory, String jobDirectory) {
        return Staging.file(jobDirectory + "/work", directory + "\n") + "[ -d " + quote(directory)
                + " ] && touch -c -- " + quote(directory) + " || exit " + NO_CODE + "\n";
    }

    /** Starts a further attempt of what is staged, unless the one before still runs or must not be followed. */
    static String resubmit(String jobDirectory, int attempt, Map<String, Secret> secrets) {
        String next = BoxLayout.attempt(jobDirectory, attempt);
        String before = quote(BoxLayout.attempt(jobDirectory, attempt - 1));
        return BOX + begin(next)
                + held(jobDirectory)
                + ended(before)
                + "if grep -q '^tao_onreboot=fail' " + quote(jobDirectory + "/settings")
                + " && [ -n \"$tao_was\" ] && [ \"$tao_was\" != \"$tao_boot\" ]; then exit " + NOT_AFTER_REBOOT
                + "; fi\n"
                + "if grep -qE 'Xid.*: (48|79),' " + before + "/death 2>/dev/null; then exit " + DEAD_GPU + "; fi\n"
                + "tao_umask=$(umask); umask 077\n" + Staging.directory(next) + start(next, secrets) + "fi\n"
                + confirm(next);
    }

    /** Goes on when no other controller holds the job. Follows the functions of leases. */
    private static String held(String jobDirectory) {
        String lease = quote(BoxLayout.lease(jobDirectory));
        return "(umask 077; mkdir -p " + quote(BoxLayout.leases(jobDirectory)) + ")\nlease_take " + lease
                + " || { lease_tell " + lease + " >&2; exit " + HELD + "; }\n";
    }

    /** Makes the job this controller's own. Follows the functions of leases. */
    static String takeOver(JobHandle job) {
        String lease = quote(BoxLayout.lease(job.jobDirectory()));
        return "lease_take " + lease + " force || { lease_tell " + lease + " >&2; exit " + HELD + "; }\n";
    }

    /** What has told its end tidies up for a moment more, and is waited for. */
    private static String ended(String attempt) {
        return "tao_left=" + TIDYING_SECONDS + "\nwhile tao_live " + attempt + "; do\n"
                + "if [ ! -e " + attempt + "/exit ] || [ \"$tao_left\" -le 0 ]; then"
                + " echo 'the attempt before still runs' >&2; exit " + STILL_RUNS + "; fi\n"
                + "sleep 1; tao_left=$((tao_left - 1))\ndone\n";
    }

    /** A job of this id that has been started already must have been asked for with the same words. */
    private static String same(String jobDirectory, String attempt, String work) {
        return "tao_asked=\nread -r tao_asked 2>/dev/null <" + quote(jobDirectory + "/request") + "\n"
                + "[ ! -e " + quote(attempt + "/process") + " ] || [ \"${tao_asked:-" + work + "}\" = " + work
                + " ] || exit "
                + OTHER_WORK + "\n";
    }

    private static String begin(String attempt) {
        return "tao_seen=\nif [ -e " + quote(attempt + "/process") + " ]; then tao_seen=1; else\n";
    }

    /** The secrets go through a pipe that the shell itself fills: they are in no file and no list of processes. */
    private static String start(String attempt, Map<String, Secret> secrets) {
        String job = FilledJob.parent(attempt);
        StringBuilder exports = new StringBuilder();
        secrets.forEach((name, value) -> exports.append(BoxEnvironment.export(name, value.reveal())));
        return "(umask \"$tao_umask\"; printf %s " + quote(exports + "# complete") + " | TAO_RUN="
                + quote(attempt + "/")
                + " setsid /bin/sh " + quote(job + "/wrapper.sh") + " " + quote(attempt) + " >>"
                + quote(job + "/main.out") + " 2>>" + quote(job + "/main.err") + ") >/dev/null 2>&1 &\n";
    }

    private static String confirm(String attempt) {
        String process = quote(attempt + "/process");
        return "tao_n=0; while [ ! -s " + process + " ] && [ $tao_n -lt " + START_STEPS
                + " ]; do sleep 0.05; tao_n=$((tao_n + 1)); done\n"
                + "read -r tao_pid tao_start tao_boot tao_since <" + process + " || {\n"
                + "[ -z \"$tao_seen\" ] || exit " + WITHDRAWN + "\n"
                + "tail -n 5 " + quote(FilledJob.parent(attempt) + "/main.err") + " >&2; exit 3; }\n"
                + "echo \"started $tao_since\"\n";
    }

    /** Opens the gate of an attempt whose handle the controller now has; opened already is fine. */
    static String open(String jobDirectory, int number) {
        String attempt = BoxLayout.attempt(jobDirectory, number);
        return "tao_a=" + quote(attempt) + "; tao_n=0\n"
                + "if mkdir \"$tao_a/gate\" 2>/dev/null; then\n"
                + "  [ -e \"$tao_a/process\" ] || { rmdir \"$tao_a/gate\"; exit " + WITHDRAWN + "; }\n"
                + "  : >\"$tao_a/gate/open\"\n"
                + "fi\n"
                + "while [ ! -e"
                + " \"$tao_a/gate/open\""
                + " ] && [ $tao_n -lt 20"
                + " ]; do sleep 0.05;"
                + " tao_n=$((tao_n +"
                + " 1)); done\n"
                + "[ -e \"$tao_a/gate/open\""
                + " ] ||"
                + " exit"
                + " " + WITHDRAWN + "\n";
    }

    /** One look at many attempts, in the order given, without a process of its own for each. Follows the functions of leases. */
    static String poll(BoxPlace place, List<JobHandle> jobs) {
        StringBuilder script = new StringBuilder(LOOK);
        script.append("tao_room ").append(quote(place.base())).append('\n');
        for (int i = 0; i < jobs.size(); i++) {
            script.append("tao_poll ")
                    .append(i)
                    .append(' ')
                    .append(quote(BoxLayout.attempt(jobs.get(i))))
                    .append('\n');
        }
        Map<String, List<JobHandle>> leases =
                jobs.stream().collect(Collectors.groupingBy(job -> BoxLayout.leases(job.jobDirectory())));
        leases.forEach((directory, some) -> script.append(sweep(directory, some)));
        return script.append("echo poll-end\n").toString();
    }

    private static String sweep(String directory, List<JobHandle> jobs) {
        ShellCommand sweep = ShellCommand.of("lease_sweep", directory);
        jobs.stream().map(job -> job.key().value()).distinct().forEach(sweep::word);
        return "if [ -n \"$lease_new\" ] || lease_due " + quote(directory) + "; then " + sweep.render() + " | sed 's/^/"
                + LEASE + "/'; fi\n";
    }

    /**
     * Marks the attempt and asks its process group to end; the wrapper sees to the rest after the grace. Where the wrapper
     * is gone, what carries its mark is ended here, by a process of its own. Follows the functions of leases.
     */
    static String cancel(JobHandle job, String by) {
        return BOX + ending(job, by);
    }

    /** The same for several jobs and those who asked, for {@link JointScript} to read. */
    static String cancelAll(List<JobHandle> jobs, Map<JobHandle, String> by) {
        return BOX
                + JointScript.render(jobs.stream()
                        .map(job -> ending(job, by.getOrDefault(job, "")))
                        .toList());
    }

    private static String ending(JobHandle job, String by) {
        String line = by.replaceAll("\\p{Cntrl}+", " ").strip();
        return "tao_a=" + quote(BoxLayout.attempt(job)) + "\ntao_lease=" + quote(BoxLayout.lease(job.jobDirectory()))
                + "\ntao_by=" + quote(line) + "\n" + CANCEL;
    }

    /** The last words of a job, and what may tell why it ended. */
    static String diagnose(BoxPlace place, JobHandle job) {
        return "tao_a=" + quote(BoxLayout.attempt(job)) + "\ntao_base=" + quote(place.base()) + "\ntao_results="
                + quote(job.resultsDirectory()) + "\n" + LOOK + DIAGNOSE;
    }
}

package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.ShellCommand.quote;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.Staging;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Shell text for a machine without a scheduler. Pure. */
final class BoxScript {
    /** A process is ours only if its start time and the machine's boot agree with what it wrote down itself. */
    private static final String ALIVE = """
            tao_boot=unknown; read -r tao_boot </proc/sys/kernel/random/boot_id
            tao_alive() { tao_pid=; read -r tao_pid tao_start tao_was tao_since 2>/dev/null <"$1/process" || return 1
              [ "$tao_was" = "$tao_boot" ] && read -r tao_stat 2>/dev/null <"/proc/$tao_pid/stat" || return 1
              set -f; set -- ${tao_stat##*) }; set +f; [ "${20}" = "$tao_start" ] && [ "$1" != Z ]; }
            """;

    private static final String POLL = """
            tao_poll() { [ -d "$2" ] || return 0
              tao_pid=- tao_since=- tao_was=- tao_live=0 tao_code=- tao_end=- tao_flags=
              tao_alive "$2" && tao_live=1
              [ -n "$tao_pid" ] || tao_pid=-
              [ ! -f "$2/exit" ] || read -r tao_code tao_begin tao_end <"$2/exit"
              [ ! -e "$2/cancel" ] || tao_flags=$tao_flags,cancel
              [ ! -e "$2/time-limit" ] || tao_flags=$tao_flags,time-limit
              [ "$tao_was" = - ] || [ "$tao_was" = "$tao_boot" ] || tao_flags=$tao_flags,reboot
              echo "job $1 $tao_pid $tao_live $tao_since $tao_code $tao_end ${tao_flags:--}"; }
            """;

    private static final int START_STEPS = 200;

    private BoxScript() {}

    /** How one attempt is to be run; {@code limits} are the wrapper's grace and wall seconds as words of shell. */
    record Launch(String jobDirectory, int attempt, String limits) {
        static Launch first(String jobDirectory, JobSpec spec) {
            BoxOptions options = spec.options()
                    .filter(BoxOptions.class::isInstance)
                    .map(BoxOptions.class::cast)
                    .orElseGet(BoxOptions::defaults);
            Duration wall = spec.resources().wallTime().orElse(Duration.ZERO);
            return new Launch(jobDirectory, 1, options.grace().toSeconds() + " " + wall.toSeconds());
        }

        String directory() {
            return BoxLayout.attempt(jobDirectory, attempt);
        }
    }

    /** Stages a job that is not there yet, starts its first attempt, and answers with {@code started epoch}. */
    static String submit(String specFile, BoxFiles files, Launch launch, Map<String, Secret> secrets) {
        String job = launch.jobDirectory();
        StringBuilder stage = new StringBuilder();
        stage.append(Staging.directory(files.resultsDirectory()));
        stage.append("tao_umask=$(umask); umask 077\n").append(Staging.directory(launch.directory()));
        if (!files.spec().isEmpty()) {
            stage.append(Staging.directory(BoxLayout.parent(specFile))).append(Staging.file(specFile, files.spec()));
        }
        stage.append(Staging.file(job + "/env", files.env())).append(Staging.file(job + "/command", files.command()));
        stage.append(Staging.file(job + "/limits", launch.limits()));
        stage.append(Staging.file(job + "/wrapper.sh", BoxFiles.wrapper()));
        return "if [ ! -e " + quote(launch.directory() + "/process") + " ]; then\n" + stage + start(launch, secrets)
                + "fi\n" + confirm(launch);
    }

    /** Starts a further attempt of what is staged, unless the one before still runs. */
    static String resubmit(String jobDirectory, int attempt, Map<String, Secret> secrets) {
        String limits = "$(cat " + quote(jobDirectory + "/limits") + ")";
        Launch launch = new Launch(jobDirectory, attempt, limits);
        String before = BoxLayout.attempt(launch.jobDirectory(), launch.attempt() - 1);
        return ALIVE + "if [ ! -e " + quote(launch.directory() + "/process") + " ]; then\n"
                + "tao_alive " + quote(before) + " && { echo 'the attempt before still runs' >&2; exit 4; }\n"
                + "tao_umask=$(umask); umask 077\n" + Staging.directory(launch.directory()) + start(launch, secrets)
                + "fi\n"
                + confirm(launch);
    }

    /** The secrets go through a pipe that the shell itself fills: they are in no file and no list of processes. */
    private static String start(Launch launch, Map<String, Secret> secrets) {
        String job = launch.jobDirectory();
        StringBuilder exports = new StringBuilder();
        secrets.forEach((name, value) -> exports.append(BoxFiles.export(name, value.reveal())));
        return "(umask \"$tao_umask\"; printf %s " + quote(exports + "# complete") + " | setsid /bin/sh "
                + quote(job + "/wrapper.sh") + " "
                + quote(launch.directory()) + " " + launch.limits() + " >>" + quote(job + "/main.out") + " 2>>"
                + quote(job + "/main.err") + ") >/dev/null 2>&1 &\n";
    }

    private static String confirm(Launch launch) {
        String process = quote(launch.directory() + "/process");
        return "tao_n=0; while [ ! -s " + process + " ] && [ $tao_n -lt " + START_STEPS
                + " ]; do sleep 0.05; tao_n=$((tao_n + 1)); done\n"
                + "read -r tao_pid tao_start tao_boot tao_since <" + process + " || {\n"
                + "tail -n 5 " + quote(launch.jobDirectory() + "/main.err") + " >&2; exit 3; }\n"
                + "echo \"started $tao_since\"\n";
    }

    /** One look at many attempts, in the order given, without a process of its own for each. */
    static String poll(List<JobHandle> jobs) {
        StringBuilder script = new StringBuilder(ALIVE).append(POLL);
        for (int i = 0; i < jobs.size(); i++) {
            script.append("tao_poll ")
                    .append(i)
                    .append(' ')
                    .append(quote(BoxLayout.attempt(jobs.get(i))))
                    .append('\n');
        }
        return script.append("echo poll-end\n").toString();
    }

    /** Marks the attempt and asks its process group to end; the wrapper sees to the rest after the grace. */
    static String cancel(JobHandle job) {
        String attempt = quote(BoxLayout.attempt(job));
        return ALIVE + "[ -d " + attempt + " ] && [ ! -e " + quote(BoxLayout.attempt(job) + "/exit") + " ] || exit 0\n"
                + ": >" + quote(BoxLayout.attempt(job) + "/cancel") + "\n"
                + "tao_alive " + attempt + " && kill -TERM -- \"-$tao_pid\"\nexit 0\n";
    }

    /** The last words of a job. */
    static String diagnose(JobHandle job) {
        return "cd " + quote(job.jobDirectory()) + " || exit 0\n"
                + "echo \"exit record: $(cat " + quote("attempt-" + job.attempt() + "/exit") + " 2>/dev/null)\"\n"
                + "tail -n 20 main.err 2>/dev/null | sed 's/^/main.err: /'\n"
                + "tail -n 20 main.out 2>/dev/null | sed 's/^/main.out: /'\n";
    }
}

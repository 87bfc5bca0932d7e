package io.jenkins.plugins.tao.backend.slurm.poll;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.remote.shell.TailScript;
import java.util.ArrayList;
import java.util.List;

/** Which files of a job hold what. */
public final class SlurmFiles {
    private static final List<String> LOGS = List.of("*.out", "*.err");

    private SlurmFiles() {}

    /** Where a stream is read on. A status file that is older than the attempt belongs to an earlier one. */
    public static TailScript.Request request(StreamRef ref, Position from) {
        JobHandle job = ref.job();
        SlurmLayout layout = SlurmLayout.of(job);
        return switch (ref.stream()) {
            case OUT -> new TailScript.Request(layout.logRoot(), List.of(layout.logFile(job, "out")), from, 0);
            case ERR -> new TailScript.Request(layout.logRoot(), List.of(layout.logFile(job, "err")), from, 0);
            case MACHINE -> new TailScript.Request(layout.logRoot(), List.of(layout.logFile(job, "gpu")), from, 0);
            case STATUS ->
                new TailScript.Request(
                        job.resultsDirectory(),
                        Stream.STATUS_FILES,
                        from,
                        job.submittedAt().getEpochSecond());
        };
    }

    /** Files below the log directory that come home. */
    public static List<String> logs(JobHandle job) {
        return below(job, LOGS);
    }

    /** Files below the results directory that come home. */
    public static List<String> results(JobHandle job, ArtifactPlan plan) {
        List<String> globs = new ArrayList<>(List.of("**/status.json"));
        globs.addAll(below(job, plan.globs()));
        return globs.stream().distinct().toList();
    }

    /** Each member of an array has its own directory of either. */
    private static List<String> below(JobHandle job, List<String> globs) {
        return ArrayId.of(job).isEmpty()
                ? globs
                : globs.stream().map(glob -> "*/" + glob).toList();
    }

    /** Gives the logs their promised names when the job died before its frame could. */
    public static String linkLogs(JobHandle job) {
        SlurmLayout layout = SlurmLayout.of(job);
        if (ArrayId.of(job).isPresent()) {
            String directory = quote(layout.logDirectory(job));
            return String.join(
                    "\n",
                    "for file in " + directory + "_[0-9]*.out; do",
                    "  [ -e \"$file\" ] || continue",
                    "  member=${file##*_}",
                    "  own=" + directory + "/${member%.out}",
                    "  [ ! -d \"$own\" ] && mkdir -p \"$own\" || continue",
                    "  ln \"$file\" \"$own/main.out\"",
                    "  ln \"${file%.out}.err\" \"$own/main.err\"",
                    "done");
        }
        String directory = quote(layout.logDirectory(job));
        return String.join(
                "\n",
                "[ ! -d " + directory + " ] || exit 0",
                "[ -e " + quote(layout.log(job, "out")) + " ] || exit 0",
                "mkdir " + directory,
                "ln " + quote(layout.log(job, "out")) + " " + directory + "/main.out",
                "ln " + quote(layout.log(job, "err")) + " " + directory + "/main.err");
    }
}

package io.jenkins.plugins.tao.backend.slurm.poll;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.reply.MemorySize;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a person would look at after a failure: accounting, the controller's view, the ends of both logs. */
public final class SlurmDiagnosis {
    private static final String FIELDS =
            "JobID,State,ExitCode,DerivedExitCode,Elapsed,Timelimit,MaxRSS,ReqMem,NodeList";
    /** A row of {@code df -P -k} with less than a mebibyte left. */
    private static final Pattern NO_ROOM = Pattern.compile("(?m)^\\S+ +\\d+ +\\d+ +\\d{1,3} +\\d+% (/.*)$");

    /** What wrapper.sh writes into both logs when a run begins in logs that go on. */
    private static final Pattern RUN_MARK = Pattern.compile("^tao: run \\d{1,6} starts here: ");

    private static final int FACT = 300;
    private static final int LOG_LINES = 20;
    private static final int MEMBERS = 5;
    private static final double ADVICE = 1.2;

    private SlurmDiagnosis() {}

    public static String render(JobHandle job) {
        return render(job, List.of());
    }

    /** The same; of an array only {@code failed} members are looked at, the first few of them. */
    public static String render(JobHandle job, List<String> failed) {
        SlurmLayout layout = SlurmLayout.of(job);
        Optional<ArrayId> array = ArrayId.of(job);
        List<String> ids = array.isEmpty()
                ? List.of(job.nativeId())
                : failed.stream().limit(MEMBERS).toList();
        List<String> lines = new ArrayList<>(List.of(
                "LC_ALL=C; export LC_ALL",
                "part() { name=$1; shift; said=$(\"$@\" 2>&1); printf 'tao-%s %s\\n%s\\n' \"$name\" $? \"$said\"; }"));
        if (!ids.isEmpty()) {
            lines.add("part sacct sacct -n -P --delimiter='|' -j " + String.join(",", ids) + " -o " + FIELDS);
            lines.add("part scontrol scontrol -o show job " + ids.get(0));
            lines.add("part err " + tails(layout, job, array, ids, "err"));
            lines.add("part out " + tails(layout, job, array, ids, "out"));
        }
        lines.add("part room df -P -k -- " + quote(layout.base()) + " " + quote(job.resultsDirectory()));
        lines.add(
                "import=$(sed -n 's/.* by=import-\\([0-9]*\\)$/\\1/p' " + quote(layout.record(job)) + " 2> /dev/null)");
        lines.add("[ -z \"$import\" ] || part import tail -c 20000 "
                + quote(layout.conversionLog("")).replace("sqsh-.log", "sqsh-\"$import\".log"));
        lines.add("part end true");
        return String.join("\n", lines);
    }

    /** {@code tail} of a job's log; of several members those they have, each under its name. */
    private static String tails(
            SlurmLayout layout, JobHandle job, Optional<ArrayId> array, List<String> ids, String suffix) {
        ShellCommand tail = ShellCommand.of("tail");
        if (array.isEmpty()) {
            return tail.word("-c").word("20000").word(layout.log(job, suffix)).render();
        }
        tail.word("-v").word("-n").word(Integer.toString(LOG_LINES / 2));
        ids.forEach(id -> tail.word(layout.logRoot() + "/" + SlurmLayout.jobName(job.key()) + "-" + id + "." + suffix));
        return tail.render();
    }

    public static Diagnosis parse(String reply) {
        SlurmSections sections = SlurmSections.parse(reply);
        String logs = String.join("\n", newestRun(sections.linesOf("err"))) + "\n"
                + String.join("\n", newestRun(sections.linesOf("out"))) + "\n"
                + String.join("\n", sections.linesOf("import"));
        List<String[]> rows = sections.linesOf("sacct").stream()
                .map(line -> line.split("\\|", -1))
                .filter(row -> row.length >= FIELDS.split(",", -1).length)
                .toList();
        Optional<String> memory = memoryAdvice(rows);
        Optional<Signature> seen = Signature.find(states(rows) + room(sections) + "\n" + logs);
        return new Diagnosis(
                seen.map(Signature::summary).orElse(""),
                seen.map(sign -> sign == Signature.OUT_OF_MEMORY ? memory.orElse(sign.remedy()) : sign.remedy())
                        .orElse(""),
                facts(sections, rows));
    }

    /** What stands before the mark of a run is an earlier run's. Of several members each has its own log, told under its name. */
    private static List<String> newestRun(List<String> lines) {
        if (!lines.isEmpty() && lines.get(0).startsWith("==> ")) {
            return lines;
        }
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (RUN_MARK.matcher(lines.get(i)).find()) {
                return lines.subList(i + 1, lines.size());
            }
        }
        return lines;
    }

    private static String states(List<String[]> rows) {
        StringBuilder states = new StringBuilder();
        rows.forEach(row -> states.append("state=").append(row[1]).append('\n'));
        return states.toString();
    }

    /** A filesystem of which nothing is left: what happened may stand in no log, for there was no room for the line. */
    private static String room(SlurmSections sections) {
        Matcher full = NO_ROOM.matcher(
                sections.part("room").map(SlurmSections.Section::text).orElse(""));
        return full.find() ? "full=" + full.group(1) : "";
    }

    private static List<String> facts(SlurmSections sections, List<String[]> rows) {
        List<String> facts = new ArrayList<>();
        for (String[] row : rows) {
            facts.add(String.format(
                    Locale.ROOT,
                    "%s: %s, exit code %s%s, %s of %s, memory %s of %s, on %s",
                    row[0],
                    row[1],
                    row[2],
                    meaning(row[2]),
                    row[4],
                    blank(row[5]),
                    blank(row[6]),
                    blank(row[7]),
                    row[8]));
        }
        sections.linesOf("scontrol").stream()
                .filter(SlurmDiagnosis::isScontrols)
                .forEach(line -> facts.add("scontrol: " + cut(line)));
        tail("main.err", sections, "err", facts);
        tail("main.out", sections, "out", facts);
        tail("image conversion", sections, "import", facts);
        return facts;
    }

    /** What a site says on every command is none of it. */
    private static boolean isScontrols(String line) {
        return line.startsWith("JobId=") || line.contains("error");
    }

    private static void tail(String name, SlurmSections sections, String part, List<String> facts) {
        List<String> lines = newestRun(sections.linesOf(part));
        boolean ofMembers = !lines.isEmpty() && lines.get(0).startsWith("==> "); // tail has counted already
        lines.subList(ofMembers ? 0 : Math.max(0, lines.size() - LOG_LINES), lines.size())
                .forEach(line -> facts.add(name + ": " + cut(line)));
    }

    /** What {@code CODE:SIGNAL} tells beyond its numbers. */
    private static String meaning(String code) {
        return switch (code) {
            case "0:9" -> " (killed: it did not end within KillWait)";
            case "0:15" -> " (ended by a signal: cancelled, preempted or out of time)";
            case "0:11" -> " (segmentation fault)";
            case "0:53" -> " (its output file or work directory could not be opened)";
            case "0:125" -> " (out of memory)";
            default -> "";
        };
    }

    /** The most memory any step held, and a fifth more: batch size is not the lever for host memory. */
    private static Optional<String> memoryAdvice(List<String[]> rows) {
        OptionalLong most = rows.stream()
                .map(row -> MemorySize.mebibytes(row[6]))
                .flatMapToLong(OptionalLong::stream)
                .max();
        long asked = rows.stream()
                .map(row -> MemorySize.mebibytes(row[7].replaceAll("[cn]$", "")))
                .flatMapToLong(OptionalLong::stream)
                .max()
                .orElse(0);
        if (most.isEmpty() || most.getAsLong() == 0) {
            return Optional.empty();
        }
        long wanted = (long) Math.ceil(Math.max(most.getAsLong(), asked) * ADVICE);
        return Optional.of("Ask for more host memory: mem: '" + wanted + "M' is 1.2 times "
                + (asked >= most.getAsLong()
                        ? "the " + asked + " MiB it had; it held " + most.getAsLong() + " MiB when last measured."
                        : "the " + most.getAsLong() + " MiB it held when last measured.")
                + " A smaller batch saves GPU memory, not this.");
    }

    private static String blank(String text) {
        return text.isBlank() ? "?" : text;
    }

    private static String cut(String line) {
        return line.length() <= FACT ? line : line.substring(0, FACT) + "…";
    }

    /** Signs in states and logs, the surest first. */
    private enum Signature {
        REGISTRY_AWAY(
                "curl: \\((5|6|7|28|35|52|56|60)\\) [^\\n]*",
                "The node could not reach the registry of the image.",
                "Check the network, the name service and the proxy of the nodes."),
        NO_SUCH_IMAGE(
                "\\[ERROR\\] URL https?://\\S+ returned error code: 404[^\\n]*",
                "The registry has no such image or tag.",
                "Check the image's name and tag."),
        CAPABILITIES(
                "enroot-\\S+: failed to set capabilities[^\\n]*",
                "The node may not unpack images: enroot's helpers lack their capabilities.",
                "Report this to the site, or give a .sqsh file that was made elsewhere."),
        ENROOT(
                "\\[ERROR\\] URL https?://\\S+ returned error code: (401|403)[^\\n]*|Could not process JSON input",
                "The image could not be pulled: the cluster has no valid credentials for it.",
                "Put them into ~/.config/enroot/.credentials on the cluster; NGC_KEY in the job is not used for pulls."),
        CONVERSION_LATE(
                "tao: image conversion failed: ended by a signal[^\\n]*",
                "The conversion of the image was ended, at its time limit most likely.",
                "Set a longer conversionTimeout, use a smaller image, or give a .sqsh file made before."),
        CONVERSION(
                "tao: image conversion failed[^\\n]*|tao: the converted image is not there",
                "The image could not be converted to a squash file.",
                "Look at what enroot says in the conversion's log, or give a .sqsh file made before."),
        DIGEST(
                "\\[ERROR\\] Invalid image reference: \\S*@sha256:[^\\n]*",
                "The Enroot of this cluster takes no image by its digest: Invalid image reference.",
                "Name the image by a tag that does not move, or give a .sqsh file made of it."),
        CONTAINER(
                "pyxis: (failed to import docker image|failed to create container filesystem|couldn't (get|start|create) container"
                        + "|container start failed)[^\\n]*",
                "The container could not be made on the node, so the command did not run.",
                "Look at what enroot says in main.err; give a .sqsh file made before to be independent of pulls."),
        NO_PYXIS(
                "unrecognized option '--container-",
                "srun knows no container options: Pyxis is not installed.",
                "Set launcher: APPTAINER, leave the image out, or ask the site for Pyxis and Enroot."),
        OUT_OF_MEMORY(
                "state=OUT_OF_MEMORY|oom[-_]kill|srun: error: .*: Out Of Memory",
                "The job ran out of host memory.",
                "Ask for more host memory with mem: '…G'; a smaller batch saves GPU memory, not this."),
        GPUS_MISSING(
                "tao: node .* shows \\d+ of \\d+ GPUs",
                "A node did not show all the GPUs it was to give.",
                "Exclude that node with exclude: '…' and report it to the site."),
        SECRETS_GONE(
                "tao: the secrets of this run are gone",
                "The job was started again after its secrets had been removed.",
                "Submit it again."),
        TIME_LIMIT(
                "state=TIMEOUT|DUE TO TIME LIMIT|tao: the command was ended after its timeout",
                "The job ran out of time.",
                "Ask for more time, or resume from checkpoints with requeueOnTimeout: true."),
        NODE_FAILURE(
                "state=NODE_FAIL|state=BOOT_FAIL|DUE TO NODE FAILURE|srun: error: Node failure",
                "A node failed under the job.",
                "Nothing in the job is to blame; it may be tried again on other nodes."),
        PREEMPTED(
                "state=PREEMPTED|DUE TO PREEMPTION",
                "A job of higher priority took the nodes.",
                "Keep requeue on, or use a partition that is not preempted."),
        FULL(
                "(?m)^full=|No space left on device|Disk quota exceeded",
                "There is no room left on the shared filesystem, or no quota.",
                "Free space or raise the quota: what the job wrote last is not whole."),
        DIRECTORY(
                "state=FAILED[^\\n]*\\b0:53\\b|JobLaunchFailure",
                "The job could not open its log files.",
                "Check that the base directory is visible from the nodes and not full."),
        CUDA_OUT_OF_MEMORY(
                "CUDA out of memory|OutOfMemoryError: CUDA",
                "The program ran out of GPU memory.",
                "Lower the batch size, or use GPUs with more memory.");

        private final Pattern sign;
        private final String summary;
        private final String remedy;

        Signature(String sign, String summary, String remedy) {
            this.sign = Pattern.compile(sign);
            this.summary = summary;
            this.remedy = remedy;
        }

        String summary() {
            return summary;
        }

        String remedy() {
            return remedy;
        }

        static Optional<Signature> find(String text) {
            for (Signature signature : values()) {
                if (signature.sign.matcher(text).find()) {
                    return Optional.of(signature);
                }
            }
            return Optional.empty();
        }
    }
}

package io.jenkins.plugins.tao.backend.slurm.poll;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.reply.MemorySize;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmState;
import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.failure.RunMark;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** What a person would look at after a failure: accounting, the controller's view, the ends of both logs. */
public final class SlurmDiagnosis {
    private static final String FIELDS =
            "JobID,State,ExitCode,DerivedExitCode,Elapsed,Timelimit,MaxRSS,ReqMem,NodeList";
    /** A row of {@code df -P -k} with less than a mebibyte left. */
    private static final Pattern NO_ROOM = Pattern.compile("(?m)^\\S+ +\\d+ +\\d+ +\\d{1,3} +\\d+% (/.*)$");

    private static final Map<Ending, String> ENDINGS = Map.of(
            Ending.OUT_OF_MEMORY, "The job ran out of host memory.",
            Ending.TIME_LIMIT, "The job ran out of time.",
            Ending.NODE_FAILURE, "A node failed under the job.",
            Ending.BOOT_FAILURE, "A node failed under the job.",
            Ending.PREEMPTED, "A job of higher priority took the nodes.");

    private static final String SYSTEM = "slurm";
    private static final int FACT = 300;
    private static final int LOG_LINES = 20;
    private static final int MEMBERS = 5;
    private static final double ADVICE = 1.2;

    private SlurmDiagnosis() {}

    /** The script that looks; of an array only {@code failed} members are looked at, the first few of them. */
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

    /** What {@code reply} shows of a job that has GPUs, or may have, or has none. */
    public static Diagnosis parse(String reply, boolean gpus) {
        SlurmSections sections = SlurmSections.parse(reply);
        List<String[]> rows = sections.linesOf("sacct").stream()
                .map(line -> line.split("\\|", -1))
                .filter(row -> row.length >= FIELDS.split(",", -1).length)
                .toList();
        List<String> facts = facts(sections, rows);
        return ended(rows, facts)
                .or(() -> full(sections, facts))
                .or(() -> logged(sections, rows, facts, gpus))
                .orElseGet(() -> new Diagnosis("", "", facts));
    }

    private static Optional<Diagnosis> ended(List<String[]> rows, List<String> facts) {
        return rows.stream()
                .map(row -> SlurmState.ending(row[1], true))
                .filter(ENDINGS::containsKey)
                .findFirst()
                .map(ending -> new Diagnosis(
                        ENDINGS.getOrDefault(ending, ""),
                        Optional.of(ending)
                                .filter(Ending.OUT_OF_MEMORY::equals)
                                .flatMap(memory -> memoryAdvice(rows))
                                .or(() -> ending.cause().map(Cause::remedy))
                                .orElse(""),
                        facts));
    }

    /** A filesystem of which nothing is left: what happened may stand in no log, for there was no room for the line. */
    private static Optional<Diagnosis> full(SlurmSections sections, List<String> facts) {
        return sections.part("room")
                .filter(room -> NO_ROOM.matcher(room.text()).find())
                .map(room -> new Diagnosis(
                        "There is no room left on the shared filesystem, or no quota.",
                        "Free space or raise the quota: what the job wrote last is not whole.",
                        facts));
    }

    private static Optional<Diagnosis> logged(
            SlurmSections sections, List<String[]> rows, List<String> facts, boolean gpus) {
        List<List<String>> logs = List.of(
                newestRun(sections.linesOf("err")), newestRun(sections.linesOf("out")), sections.linesOf("import"));
        return FailureRules.own()
                .match(SYSTEM, gpus, logs)
                .filter(FailureRules.Match::isNamed)
                .map(FailureRules.Match::rule)
                .map(rule -> new Diagnosis(
                        rule.sentence(),
                        Optional.of(rule)
                                .filter(oom -> oom.cause() == Cause.OUT_OF_MEMORY
                                        && oom.backend().equals(SYSTEM))
                                .flatMap(oom -> memoryAdvice(rows))
                                .orElse(rule.remedy()),
                        facts));
    }

    /** What stands before the mark of a run is an earlier run's. Of several members each has its own log, shown under its name. */
    private static List<String> newestRun(List<String> lines) {
        return !lines.isEmpty() && lines.get(0).startsWith("==> ") ? lines : RunMark.newest(lines);
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
}

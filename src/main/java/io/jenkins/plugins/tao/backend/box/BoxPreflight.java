package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The checks before a job: what to ask, and what the answers mean. Pure; what it asks writes nothing. */
final class BoxPreflight {
    private static final long LEAST_KIB = 1024 * 1024;
    private static final long LEAST_INODES = 10_000;

    private BoxPreflight() {}

    /** What can be told without asking the machine. */
    static List<Check> shape(JobSpec spec) {
        List<Check> checks = new ArrayList<>();
        if (spec.image().isPresent()) {
            checks.add(Check.failed(
                    "plain command",
                    "The job names the image '" + spec.image().get() + "', and this target runs plain commands.",
                    "Leave image out and give a command of this machine, or use a target that runs containers."));
        }
        if (spec.resources().nodes() > 1) {
            checks.add(Check.failed(
                    "one machine",
                    "The job wants " + spec.resources().nodes() + " nodes, and this target is one machine.",
                    "Set nodes to 1, or use a target with several machines."));
        }
        if (spec.options().isPresent() && !(spec.options().get() instanceof BoxOptions)) {
            checks.add(Check.failed(
                    "options",
                    "The job's options belong to another backend.",
                    "Leave them out, or give those of local."));
        }
        return checks;
    }

    /** Asks the machine; each line of the answer is {@code word value}. */
    static String script(String directory, JobSpec spec) {
        StringBuilder script = new StringBuilder();
        script.append("tao_d=").append(quote(directory)).append('\n');
        script.append("while [ ! -e \"$tao_d\" ]; do tao_d=${tao_d%/*}; tao_d=${tao_d:-/}; done\n");
        script.append("[ -d \"$tao_d\" ] && [ -w \"$tao_d\" ] && echo 'writable 1' || echo \"writable 0 $tao_d\"\n");
        script.append("echo \"kib $(df -Pk -- \"$tao_d\" 2>/dev/null | awk 'NR==2 {print $4}')\"\n");
        script.append("echo \"inodes $(df -Pi -- \"$tao_d\" 2>/dev/null | awk 'NR==2 {print $4}')\"\n");
        script.append("for tao_p in bash setsid stat tail head awk sed tr xargs; do\n");
        script.append("command -v \"$tao_p\" >/dev/null 2>&1 || echo \"missing $tao_p\"; done\n");
        script.append("echo \"gpus $(nvidia-smi -L 2>/dev/null | grep -c '^GPU ')\"\n");
        for (String input : spec.inputs()) {
            if (input.startsWith("/")) {
                script.append("[ -r ").append(quote(input)).append(" ] || echo ");
                script.append(quote("input " + input.replace('\n', ' '))).append('\n');
            }
        }
        return script.append("echo end\n").toString();
    }

    /** What the answer means. */
    static List<Check> checks(String answer, String directory, JobSpec spec) {
        List<Check> checks = new ArrayList<>();
        checks.add(
                answer.contains("writable 1\n")
                        ? Check.passed("directory is writable", directory)
                        : Check.failed(
                                "directory is writable",
                                "User '" + System.getProperty("user.name") + "' cannot create files in " + directory
                                        + ".",
                                "Choose another directory for this target, or give this user the right to write there."));
        checks.addAll(space(answer, "kib", LEAST_KIB, "KiB of disk space"));
        checks.addAll(space(answer, "inodes", LEAST_INODES, "inodes"));
        words(answer, "missing")
                .forEach(program -> checks.add(Check.failed(
                        "programs", "There is no '" + program + "' on this machine.", "Install it; jobs need it.")));
        words(answer, "input")
                .forEach(input -> checks.add(Check.failed(
                        "inputs",
                        "The input " + input + " is not there or cannot be read.",
                        "Copy it there, or mend its path.")));
        gpus(answer, spec, checks);
        return checks;
    }

    private static void gpus(String answer, JobSpec spec, List<Check> checks) {
        int wanted = spec.resources().gpusPerNode().orElse(0);
        long found = words(answer, "gpus").stream()
                .mapToLong(BoxPreflight::number)
                .findFirst()
                .orElse(0);
        if (wanted > found) {
            checks.add(Check.failed(
                    "GPUs",
                    "The job wants " + wanted + " GPUs, and nvidia-smi lists " + found + ".",
                    "Ask for fewer, mend the driver, or use a target with GPUs."));
        }
    }

    private static List<Check> space(String answer, String word, long least, String unit) {
        long free = words(answer, word).stream()
                .mapToLong(BoxPreflight::number)
                .findFirst()
                .orElse(-1);
        if (free < 0) {
            return List.of();
        }
        String found = free + " " + unit + " are free";
        return List.of(
                free < least
                        ? Check.warning("room", "Only " + found + ".", "Make room before results fill the disk.")
                        : Check.passed("room", found));
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    private static List<String> words(String answer, String word) {
        List<String> found = new ArrayList<>();
        Matcher match = Pattern.compile("(?m)^" + word + " (.+)$").matcher(answer);
        while (match.find()) {
            found.add(match.group(1));
        }
        return found;
    }
}

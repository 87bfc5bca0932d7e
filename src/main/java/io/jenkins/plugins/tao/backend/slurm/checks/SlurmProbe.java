package io.jenkins.plugins.tao.backend.slurm.checks;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.slurm.networks.SlurmPaths;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmImage;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmDirectives;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import io.jenkins.plugins.tao.spec.StrayPaths;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The shell text of preflight: questions only, nothing is written. */
public final class SlurmProbe {
    /** What {@code sbatch --test-only} shall judge; names and logs are none of its business. */
    private static final Set<String> UNTESTED = Set.of(
            "--job-name", "--comment", "--output", "--error", "--open-mode", "--dependency", "--kill-on-invalid-dep");

    private static final List<String> TOOLS = List.of(
            "part tools missing sbatch squeue scancel srun scontrol",
            "part accounting missing sacct",
            "part container srun --help",
            "part pulls enroot version",
            "part apptainer missing apptainer");

    private SlurmProbe() {}

    public static String render(SlurmPlan plan) {
        List<String> lines = new ArrayList<>();
        lines.add("LC_ALL=C; export LC_ALL");
        lines.add("part() { name=$1; shift; said=$(\"$@\" 2>&1); printf 'tao-%s %s\\n%s\\n' \"$name\" $? \"$said\"; }");
        lines.add(
                "missing() { for tool; do (unset -f \"$tool\"; command -v \"$tool\" > /dev/null) || echo \"$tool\"; done; }");
        lines.add("absent() { for path; do [ -e \"$path\" ] || { for a in tar tar.gz"
                + " tgz zip; do [ ! -e \"$path.$a\" ] || path=\"$path (only $path.$a)\"; done;"
                + " printf '%s\\n' \"$path\"; }; done; }");
        lines.add("nearest() { d=$1; while [ ! -e \"$d\" ]; do d=$(dirname \"$d\"); done; printf '%s\\n' \"$d\";"
                + " [ -d \"$d\" ] && [ -w \"$d\" ] && [ -x \"$d\" ]; }");
        lines.add("part login id -un");
        lines.add("part dropped echo $tao_dropped");
        boolean rest = plan.target().rest().isPresent();
        lines.addAll(rest ? List.of("part rest slurm_rest") : TOOLS);
        lines.add("part base nearest " + quote(plan.layout().base()));
        lines.add("part results nearest " + quote(plan.results()));
        lines.add("part space df -Pk \"$said\"");
        lines.add(absent(
                "inputs", plan.inputs().stream().filter(SlurmPaths::isPath).map(SlurmPaths::rewrite)));
        lines.add(absent("here", StrayPaths.here(plan.job()).stream().map(StrayPaths.Found::path)));
        lines.add("part image absent "
                + quote(plan.job().image().filter(SlurmImage::isFile).orElse("/")));
        lines.add("ports() { for s in /sys/class/infiniband/*/ports/*/state; do [ -r \"$s\" ] && grep -q ACTIVE \"$s\""
                + " && s=${s#/sys/class/infiniband/} && echo \"${s%%/*}\"; done; :; }");
        lines.add("part fabric ports");
        lines.add("part enroot test -s \"$HOME/.config/enroot/.credentials\"");
        lines.add("part partitions sinfo -h -o '%P|%l|%a'");
        if (!rest) {
            lines.addAll(judged(plan));
        }
        lines.add("part end true");
        return String.join("\n", lines);
    }

    /** What the programs of Slurm alone answer. */
    private static List<String> judged(SlurmPlan plan) {
        List<String> lines = new ArrayList<>();
        plan.array().ifPresent(array -> {
            lines.add("largest_array() { scontrol show config | sed -n 's/^MaxArraySize *= *//p'; }");
            lines.add("part array largest_array");
        });
        lines.add("part accepted " + testOnly(plan) + " < /dev/null");
        return lines;
    }

    private static String absent(String name, Stream<String> paths) {
        ShellCommand command = ShellCommand.of("part", name, "absent");
        paths.distinct().forEach(command::word);
        return command.render();
    }

    private static String testOnly(SlurmPlan plan) {
        ShellCommand sbatch = ShellCommand.of("sbatch", "--test-only");
        SlurmDirectives.of(plan).stream()
                .map(line -> line.substring("#SBATCH ".length()))
                .filter(option -> !UNTESTED.contains(option.split("=", 2)[0]))
                .forEach(sbatch::word);
        return sbatch.option("wrap", "true").render();
    }
}

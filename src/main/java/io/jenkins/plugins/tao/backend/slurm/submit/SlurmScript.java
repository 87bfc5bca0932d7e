package io.jenkins.plugins.tao.backend.slurm.submit;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.slurm.options.SlurmImage;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget.Launcher;
import io.jenkins.plugins.tao.backend.slurm.options.Warning;
import io.jenkins.plugins.tao.failure.FailureRule;
import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.shell.GpuCount;
import io.jenkins.plugins.tao.remote.shell.GpuShell;
import io.jenkins.plugins.tao.remote.shell.RendezvousShell;
import io.jenkins.plugins.tao.remote.shell.ShellCommand;
import io.jenkins.plugins.tao.spec.FilledJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The batch script of a job: pure text, the same for every attempt, without any secret.
 *
 * <p>{@code WORLD_SIZE} counts nodes, as TAO's entry points expect it. {@code NODE_RANK} is worked out in each task: in
 * the batch shell it would be 0 for all of them.
 */
public final class SlurmScript {
    /** Before the batch script and before each rank. */
    private static final String PLAIN_SHELL = OwnFile.text(SlurmScript.class, "plain-shell.sh");

    private static final String FRAME =
            OwnFile.text(SlurmScript.class, "wrapper.sh").replace("@RULES@", rulesOfLaunch());
    /** What the first node tells of its GPUs: beside the job, without its secrets, and over when the frame is. */
    private static final String GPUS = "tao_gpus=" + quote(GpuShell.program())
            + "\nenv -i PATH=\"$PATH\" LD_LIBRARY_PATH=\"${LD_LIBRARY_PATH-}\" sh -c \"$tao_gpus\" gpus $$"
            + " \"${CUDA_VISIBLE_DEVICES-}\" " + GpuShell.PAUSE_SECONDS
            + " >> \"$tao_log.gpu\" 2> /dev/null < /dev/null &\ntao_sampler=$!";

    /** What the other nodes tell of theirs. */
    private static final String NODES = OwnFile.text(SlurmScript.class, "nodes.sh");

    private static final String TASK_GPUS = OwnFile.text(SlurmScript.class, "task-gpus.sh");
    private static final String TELL_GPUS = "tao_tell_gpus \"$4\" " + GpuShell.PAUSE_SECONDS + " \"$5\"; ";

    private static final String FINISH = OwnFile.text(SlurmScript.class, "finish.sh");
    private static final String ARRAY = OwnFile.text(SlurmScript.class, "array.sh");

    /** Keeps Lightning from taking the allocation for its own: it would want one task for each GPU. */
    private static final String PLACE = "export NODE_RANK=\"${SLURM_PROCID:-0}\" SLURM_JOB_NAME=bash; ";

    /** Around the command on each node. */
    private static final String TASK = OwnFile.text(SlurmScript.class, "task.sh");

    private static final String RUN = "tao_run_rank \"$1\"";

    /**
     * TAO's launcher writes the number of nodes and GPUs into the spec where it lies: one that is read while another
     * node writes it is empty, and that launcher goes on alone. So each node has its own, and the staged one stays as it
     * was. Where none can be made, all share it.
     */
    private static final String OWN_SPEC =
            "tao_own=${tao_spec%.*}.nodes; tao_own_spec=$tao_own/$NODE_RANK.${tao_spec##*.}; if mkdir -p \"$tao_own\" &&"
                    + " cp -f \"$tao_spec\" \"$tao_own_spec\"; then"
                    + " set -- \"${1//\"$tao_spec\"/$tao_own_spec}\"; fi; ";

    /** Of a card that is cut into slices (MIG) those count, and the card does not. */
    private static final String GPU_CHECK = "if command -v nvidia-smi >/dev/null 2>&1; then"
            + " n=$(nvidia-smi -L 2>/dev/null | " + GpuCount.OF_LIST
            + "); if [ \"$n\" -lt \"$NUM_GPU_PER_NODE\" ]; then"
            + " echo \"tao: node ${SLURMD_NODENAME:-?} shows $n of $NUM_GPU_PER_NODE GPUs\" >&2; exit 71; fi; else"
            + " echo \"tao: the GPUs of node ${SLURMD_NODENAME:-?} were not checked: there is no nvidia-smi where the command runs\" >&2; fi; ";

    /** Nodes that reach each other over plain Ethernet alone train several times as slowly, and nobody is told why. */
    private static final String FABRIC_CHECK = "ib=; for s in /sys/class/infiniband/*/ports/*/state; do"
            + " [ -r \"$s\" ] && case $(cat \"$s\") in *ACTIVE*) ib=1;; esac; done; [ -n \"$ib\" ] ||"
            + " echo \"tao: node ${SLURMD_NODENAME:-?} shows no active InfiniBand or RoCE port: between nodes NCCL goes"
            + " over TCP\" >&2; ";

    private static final String ENTER_CODE = "cd -P -- \"$" + FilledJob.CODE_DIR + "\" || {"
            + " echo \"tao: the code of this job cannot be entered on ${SLURMD_NODENAME:-?}\" >&2; exit 74; }; ";

    /** Keys that pulls of images must not find in their environment: they authenticate by enroot's file alone. */
    private static final List<String> PULL_KEYS = List.of("NGC_KEY", "NGC_API_KEY", "NGC_CLI_API_KEY");

    private static final String READ_SECRETS = "if [ -r \"$TAO_SECRETS\" ]; then . \"$TAO_SECRETS\"; else"
            + " echo \"tao: the secrets of this run cannot be read in the container\" >&2; exit 78; fi; unset TAO_SECRETS; ";

    private SlurmScript() {}

    /** Lines of awk that decide by the rules for the words of {@code srun}. */
    private static String rulesOfLaunch() {
        List<String> lines = new ArrayList<>();
        for (FailureRule rule : FailureRules.own().beginningWith("^srun: error: ", "slurm")) {
            String word = rule.cause() == Cause.LAUNCH ? "launch" : "node";
            lines.add("    /" + rule.pattern() + "/ { said(" + (lines.size() + 1) + ", \"" + word + "\") }");
        }
        return String.join("\n", lines);
    }

    public static String render(SlurmPlan plan) {
        List<String> lines = new ArrayList<>();
        lines.add("#!/bin/bash");
        lines.addAll(SlurmDirectives.of(plan));
        lines.add("");
        lines.addAll(settings(plan));
        lines.add("");
        plan.array().ifPresent(array -> {
            String config = plan.layout().config(plan.key(), plan.job().specFormat());
            lines.addAll(List.of("tao_config=" + quote(config), ARRAY));
        });
        lines.add(PLAIN_SHELL + FRAME);
        if (plan.shape().gpusPerNode() > 0) {
            lines.add(GPUS);
        }
        if (nodesTellGpus(plan)) {
            lines.add(NODES);
        }
        lines.addAll(environment(plan));
        lines.add("");
        plan.conversion().ifPresent(image -> lines.add(image.guard()));
        lines.addAll(launch(plan));
        lines.add(FINISH);
        return String.join("\n", lines);
    }

    private static List<String> settings(SlurmPlan plan) {
        SlurmOptions options = plan.options();
        boolean again = options.requeueOnTimeout().orElse(false) && plan.requeue();
        return List.of(
                "tao_base=" + quote(plan.layout().base()),
                "tao_key=" + quote(plan.key().value()),
                "tao_member=",
                "tao_results=" + quote(plan.results()),
                "tao_nodes=" + plan.shape().nodes(),
                "tao_roles=" + (plan.roles().isPresent() ? "1" : ""),
                "tao_timeout=" + plan.shape().timeout().orElse(Duration.ZERO).toSeconds(),
                "tao_requeues=" + (again ? options.requeueLimit() : 0),
                "tao_grace=" + options.grace().orElse(Duration.ZERO).toSeconds(),
                "tao_forward=" + plan.shape().warning().map(Warning::plainName).orElse(""),
                "tao_needs_secrets=" + (plan.job().secrets().isEmpty() ? "" : "1"));
    }

    private static List<String> environment(SlurmPlan plan) {
        List<String> lines = new ArrayList<>();
        SlurmExports.of(plan).forEach((name, value) -> lines.add("export " + name + "=" + quote(value)));
        lines.addAll(List.of("tao_ports_dir=", RendezvousShell.functions(), "tao_rendezvous \"$SLURM_JOB_ID\""));
        lines.add("MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)");
        lines.add("export MASTER_ADDR SRUN_CPUS_PER_TASK=\"${SLURM_CPUS_PER_TASK:-1}\"");
        String cuda = plan.env().get("CUDA_OVERRIDE_VERSION");
        if (cuda != null && cuda.matches("[0-9.]+")) {
            lines.addAll(cudaOverride("/usr/local/cuda-" + cuda));
        }
        if (!plan.options().modules().isEmpty()) {
            lines.add("command -v module > /dev/null || . /etc/profile.d/modules.sh");
            lines.add(ShellCommand.of("module", "load").render() + " "
                    + String.join(" ", plan.options().modules()) + " || exit 72");
        }
        return lines;
    }

    private static List<String> cudaOverride(String home) {
        return List.of(
                "export CUDA_HOME=" + home + " CUDA_PATH=" + home,
                "export LD_LIBRARY_PATH=" + home + "/lib64:" + home + "/lib:${LD_LIBRARY_PATH:-}",
                "export LIBRARY_PATH=" + home + "/lib64:${LIBRARY_PATH:-} CPATH=" + home + "/include:${CPATH:-}");
    }

    private static List<String> launch(SlurmPlan plan) {
        List<String> lines =
                new ArrayList<>(List.of("tao_task=" + quote(task(plan)), "tao_command=" + quote(plan.command())));
        plan.array().ifPresent(array -> lines.add("tao_member_inputs"));
        lines.addAll(List.of("", "tao_by=command"));
        if (hidesPullKeys(plan)) {
            lines.add("export TAO_SECRETS=\"$tao_secrets\"; unset " + String.join(" ", PULL_KEYS));
        }
        String program =
                container(plan) + "/bin/bash -c \"$tao_task\" tao \"$tao_command\" \"$tao_notes\" \"$tao_count\""
                        + (nodesTellGpus(plan) ? " \"$tao_gpus\" \"${tao_node_names%% *}\"" : "");
        if (plan.roles().isPresent()) {
            lines.addAll(RolesScript.launch(step(ShellCommand.of("srun"), plan), program));
            return lines;
        }
        String nodes = Integer.toString(plan.shape().nodes());
        lines.add("tao_notes=$tao_ranks tao_count=$tao_nodes");
        lines.add("tao_run_command "
                + step(ShellCommand.of("srun").option("nodes", nodes).option("ntasks", nodes), plan) + " \\");
        lines.add("  " + program);
        return lines;
    }

    private static String task(SlurmPlan plan) {
        boolean gpus =
                plan.shape().gpusPerNode() > 0 && plan.options().gpuCheck().orElse(true);
        return PLAIN_SHELL
                + TASK
                + (nodesTellGpus(plan) ? TASK_GPUS + TELL_GPUS : "")
                + (hidesPullKeys(plan) ? READ_SECRETS : "")
                + (gpus ? GPU_CHECK : "")
                + (gpus && plan.shape().nodes() > 1 ? FABRIC_CHECK : "")
                + PLACE
                + ownSpec(plan)
                + (plan.code().isPresent() ? ENTER_CODE : "")
                + RUN;
    }

    private static boolean nodesTellGpus(SlurmPlan plan) {
        return plan.shape().gpusPerNode() > 0 && plan.shape().nodes() > 1;
    }

    private static String ownSpec(SlurmPlan plan) {
        boolean named = plan.job().command().contains(SlurmPlan.CONFIG_PATH);
        return named
                        && plan.shape().nodes() > 1
                        && plan.roles().isEmpty()
                        && plan.array().isEmpty()
                ? "tao_spec="
                        + quote(plan.layout().config(plan.key(), plan.job().specFormat())) + "; " + OWN_SPEC
                : "";
    }

    private static boolean hidesPullKeys(SlurmPlan plan) {
        return plan.job().image().isPresent() && plan.secretNames().stream().anyMatch(PULL_KEYS::contains);
    }

    /** A step inherits neither the GPUs nor, since 22.05, the processors of its job: both are named again. */
    private static String step(ShellCommand srun, SlurmPlan plan) {
        srun.option("ntasks-per-node", "1");
        SlurmDirectives.gres(plan).ifPresent(gres -> srun.option("gres", gres));
        srun.flag("kill-on-bad-exit").option("export", "ALL");
        return srun.render() + " --cpus-per-task=\"$SRUN_CPUS_PER_TASK\"";
    }

    private static String container(SlurmPlan plan) {
        if (plan.job().image().isEmpty()) {
            return "";
        }
        String image = plan.job().image().get();
        if (plan.launcher() == Launcher.APPTAINER) {
            ShellCommand exec = ShellCommand.of("apptainer", "exec", "--nv");
            plan.mounts().forEach(mount -> exec.option("bind", mount));
            return exec.word(SlurmImage.forApptainer(image)).render() + " \\\n  ";
        }
        String passed = plan.conversion().map(SlurmConversion::file).orElseGet(() -> SlurmImage.forPyxis(image));
        return "--container-image=" + quote(passed)
                + " --container-mounts=" + quote(String.join(",", plan.mounts()))
                + " --container-env=" + String.join(",", names(plan))
                + (plan.roles().isPresent() ? " --no-container-mount-home" : "") + " \\\n  ";
    }

    /** The variables that win over those the image brings. */
    private static List<String> names(SlurmPlan plan) {
        List<String> names = new ArrayList<>(SlurmExports.of(plan).keySet());
        names.add("MASTER_ADDR");
        RendezvousShell.NAMES.stream().filter(name -> !names.contains(name)).forEach(names::add);
        plan.roles().ifPresent(roles -> names.addAll(RolesScript.NAMES));
        names.addAll(plan.secretNames());
        if (hidesPullKeys(plan)) {
            names.removeAll(PULL_KEYS);
            names.add("TAO_SECRETS");
        }
        return names;
    }

    /** The file of secrets as the job reads it; it goes to a mode-600 file of one attempt and nowhere else. */
    public static String secrets(Map<String, Secret> secrets) {
        List<String> lines = new ArrayList<>();
        secrets.forEach((name, value) -> lines.add("export " + name + "=" + quote(value.reveal())));
        return String.join("\n", lines);
    }
}

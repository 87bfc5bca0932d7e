package io.jenkins.plugins.tao.backend.kubernetes.request;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.remote.shell.GpuCount;
import java.util.List;

/** Shell text that runs in each pod before the command: who it is among the others, and whether it has what it needs. Pure. */
public final class Prologue {
    /** Exit codes that name themselves in {@code FailureTable}. */
    public static final int TOO_FEW_GPUS = 71;

    public static final int INPUT_MISSING = 72;

    private static final int MASTER_PORT = 29500;

    /**
     * The first pod has a name as soon as it has an address, which may be after another one's command started. TAO's
     * launcher looks it up once, and goes on alone when it finds nothing.
     */
    private static final String AWAIT_FIRST = """
            tao_looks=0
            while command -v getent >/dev/null && ! getent hosts "$MASTER_ADDR" >/dev/null; do
              tao_looks=$((tao_looks + 1))
              if [ $tao_looks = 10 ]; then echo "tao: waiting for the name $MASTER_ADDR of the first pod" >&2; fi
              if [ $tao_looks -gt 600 ]; then echo "tao: $MASTER_ADDR has no address after 10 minutes" >&2; break; fi
              sleep 1
            done
            """;

    /**
     * A user that the image does not know has no home and no name, and programs want both: caches go to the home,
     * Python's {@code getpass.getuser}, which PyTorch's compiler calls, to the name.
     */
    private static final String NAMELESS_USER = """
            if [ ! -w "${HOME:-/}" ]; then export HOME=/tmp; fi
            id -un >/dev/null 2>&1 || export USER="${USER:-tao}" LOGNAME="${LOGNAME:-tao}"
            """;

    private Prologue() {}

    static String render(KubernetesPlan plan) {
        StringBuilder text = new StringBuilder();
        if (plan.rootless()) {
            text.append(NAMELESS_USER);
        }
        if (plan.nodes() > 1) {
            text.append(rendezvous(plan));
        }
        if (plan.gpuCheck()) {
            text.append(gpus(plan.gpus()));
        }
        for (String input : localInputs(plan)) {
            text.append("if [ ! -e ")
                    .append(quote(input))
                    .append(" ]; then echo ")
                    .append(quote("tao: the input " + input + " is not visible in this pod; mount its volume there"))
                    .append(" >&2; exit ")
                    .append(INPUT_MISSING)
                    .append("; fi\n");
        }
        return text.toString();
    }

    /** TAO's entry points and torchrun read different names; world size counts nodes, as TAO takes it. */
    private static String rendezvous(KubernetesPlan plan) {
        String job = "$" + KubernetesNames.JOB_VARIABLE;
        return "export WORLD_SIZE=" + plan.nodes() + " NNODES=" + plan.nodes() + "\n"
                + "export NUM_GPU_PER_NODE=" + plan.gpus() + " NPROC_PER_NODE=" + Math.max(1, plan.gpus()) + "\n"
                + "export NODE_RANK=\"$JOB_COMPLETION_INDEX\"\n"
                + "export MASTER_ADDR=\"" + job + "-0." + job + "\" MASTER_PORT=\"${MASTER_PORT:-" + MASTER_PORT
                + "}\"\n"
                + "export TAO_NODE_COUNT=" + plan.nodes() + " TAO_GPUS_PER_NODE=" + plan.gpus()
                + " TAO_NODE_RANK=\"$JOB_COMPLETION_INDEX\"\n"
                + AWAIT_FIRST;
    }

    /** Without a GPU in the container a training falls back to the CPU and says nothing. */
    private static String gpus(int wanted) {
        return "tao_gpus=$(nvidia-smi -L 2>/dev/null | " + GpuCount.OF_LIST + ")\n"
                + "if [ \"$tao_gpus\" -lt " + wanted + " ]; then\n"
                + "  echo \"tao: this pod sees $tao_gpus GPU(s) and was to have " + wanted
                + "; look at the device plugin and container toolkit of node ${TAO_NODE_NAME:-?}\" >&2\n"
                + "  exit " + TOO_FEW_GPUS + "\nfi\n";
    }

    /** Inputs that are paths in the container. */
    static List<String> localInputs(KubernetesPlan plan) {
        return plan.spec().inputs().stream().filter(Prologue::isLocal).toList();
    }

    /** An address, or a path that something is brought to, is no input of the container's own. */
    public static boolean isLocal(String input) {
        return input.startsWith("/") && !input.contains("://");
    }
}

package io.jenkins.plugins.tao.remote.shell;

import io.jenkins.plugins.tao.job.text.OwnFile;

/**
 * The shell text that tells which GPUs a job has and how much it uses them. It runs beside the job on its machine, because
 * only that machine knows.
 *
 * @see <a href="https://docs.nvidia.com/deploy/nvidia-smi/index.html">nvidia-smi</a>
 */
public final class GpuShell {
    /** The pause between two samples at first. */
    public static final int PAUSE_SECONDS = 30;

    private static final String PROGRAM = OwnFile.text(GpuShell.class, "gpus.sh");

    private GpuShell() {}

    /** A program for {@code sh}; its first lines tell its arguments and what it writes. */
    public static String program() {
        return PROGRAM;
    }
}

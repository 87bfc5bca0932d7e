package io.jenkins.plugins.tao.remote.shell;

/** Counts what {@code nvidia-smi -L} lists: the slices (MIG) of a GPU that is cut into some, else the GPU. */
public final class GpuCount {
    /** Plain shell that reads the list and prints the number; a slice stands below its GPU, with an indent. */
    public static final String OF_LIST = "{ n=0; g=0; while read -r k l; do case $k in (GPU) g=1; n=$((n+1));;"
            + " (MIG) n=$((n+1-g)); g=0;; esac; done; echo \"$n\"; }";

    private GpuCount() {}
}

package io.jenkins.plugins.tao.backend.slurm;

/** How a container gets onto the nodes. A job without image starts as a plain command with any of them. */
public enum Launcher {
    /** By the container options that Pyxis gives to {@code srun}. */
    PYXIS,
    /** By {@code apptainer exec} inside {@code srun}, where there is no Pyxis. */
    APPTAINER
}

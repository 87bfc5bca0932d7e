package io.jenkins.plugins.tao.backend.slurm.submit;

import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.List;

/** The part of the job's script that starts a controller, policies and rollouts as steps of their own and watches them. */
final class RolesScript {
    /** What the script finds out on the nodes, for {@code --container-env}. */
    static final List<String> NAMES = List.of(
            "CONTROLLER_NODE",
            "COSMOS_CONTROLLER_HOST",
            "POLICY_NODES",
            "ROLLOUT_NODES",
            "COSMOS_NODE_ROLE",
            "LOCAL_NODE_LIST");

    private static final String WATCH = OwnFile.text(RolesScript.class, "roles.sh");

    private RolesScript() {}

    /**
     * Starts the roles and ends with the exit code of the first one that failed, or 0.
     *
     * @param step {@code srun} with what each step needs; nodes and logs come with the role
     * @param program what runs in the step
     */
    static List<String> launch(String step, String program) {
        return List.of("tao_step() {", "  exec " + step + " \"$@\" \\", "    " + program, "}", WATCH);
    }
}

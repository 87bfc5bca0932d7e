package io.jenkins.plugins.tao.backend.slurm.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Golden;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.slurm.FakeSlurm;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.networks.CosmosRoles.Replica;
import io.jenkins.plugins.tao.backend.slurm.reply.ExitRecord;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmScript;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the roles of Cosmos-RL go, and how they live and end together. */
final class CosmosRolesTest {
    private static final String NAME = "slurm-logs/tao-job-dino-train-0a1b2c-77";

    @TempDir
    Path directory;

    private static JobSpec job(Map<String, Object> policy, Map<String, Object> rollout, String type) {
        return JobSpec.of("cosmos-rl --config {config_path}")
                .resources(Sample.machines(2, 8))
                .spec(Map.of(
                        "policy", Map.of("parallelism", policy),
                        "rollout", Map.of("parallelism", rollout),
                        "train", Map.of("train_policy", Map.of("type", type))))
                .build();
    }

    private static JobSpec small() {
        return job(
                Map.of("dp_shard_size", 8, "n_init_replicas", 2), Map.of("tp_size", 4, "n_init_replicas", 2), "grpo");
    }

    @Test
    void aReplicaThatFillsNoWholeNumberOfNodesIsRefused() {
        JobSpec job = job(Map.of("tp_size", 4, "dp_shard_size", 3), Map.of(), "sft");

        assertThatThrownBy(() -> CosmosRoles.of(job, 8))
                .hasMessage(
                        "a policy replica of cosmos-rl takes 12 GPUs, which fill no whole number of nodes of 8 GPUs");
    }

    @Test
    void aReplicaLargerThanANodeSpreadsAndSmallOnesSharePerNode() {
        CosmosRoles roles = CosmosRoles.of(
                        job(
                                Map.of("tp_size", 4, "dp_shard_size", 4, "n_init_replicas", 2),
                                Map.of("tp_size", 4, "n_init_replicas", 3),
                                "grpo"),
                        8)
                .orElseThrow();

        assertThat(roles.nodes()).isEqualTo(6);
        assertThat(roles.policy())
                .extracting(node -> node.get(0).rendezvousNode())
                .containsExactly(0, 0, 2, 2);
        assertThat(roles.rollout())
                .containsExactly(
                        List.of(
                                new Replica(1, "rollout", 0, 29345, List.of(0, 1, 2, 3)),
                                new Replica(1, "rollout", 0, 29346, List.of(4, 5, 6, 7))),
                        List.of(new Replica(1, "rollout", 1, 29347, List.of(0, 1, 2, 3))));
    }

    @Test
    void supervisedFineTuningHasNoRollout() {
        CosmosRoles roles = CosmosRoles.of(job(Map.of("tp_size", 16, "dp_shard_size", -1), Map.of(), "sft"), 8)
                .orElseThrow();

        assertThat(roles.nodes()).isEqualTo(2);
        assertThat(roles.exports())
                .containsEntry("NUM_ROLLOUT_NODES", "0")
                .containsEntry("NODE_LAUNCH_METADATA_ROLLOUT", "[]")
                .extractingByKey("NODE_LAUNCH_METADATA_POLICY")
                .asString()
                .startsWith("[{\"colocation\":[{\"nnode\":2,\"role\":\"policy\",\"rendezvous_node\":0,"
                        + "\"rendezvous_port\":29345,\"visible_gpus\":[0,1,2,3,4,5,6,7]}]},");
    }

    @Test
    void onlyCosmosRlOnSeveralNodesHasRoles() {
        JobSpec one =
                JobSpec.of("cosmos-rl train").resources(Sample.machines(1, 8)).build();
        JobSpec other =
                JobSpec.of("dino train").resources(Sample.machines(2, 8)).build();

        assertThat(CosmosRoles.of(one, 8)).isEmpty();
        assertThat(CosmosRoles.of(other, 8)).isEmpty();
    }

    @Test
    @Promise("SL-55")
    void threeRolesAreThisScript() throws Exception {
        SlurmPlan plan = SlurmPlan.of(
                Sample.target().build(),
                JobSpec.of(small().command())
                        .spec(small().spec())
                        .resources(small().resources())
                        .image("/lustre/images/cosmos.sqsh")
                        .build(),
                Sample.KEY);

        assertThat(plan.shape().nodes()).isEqualTo(3);
        Golden.check("backend/slurm/cosmos.sbatch", SlurmScript.render(plan));
    }

    @Test
    @Promise("SL-55")
    void eachRoleHasItsStepEnvironmentAndLog() throws Exception {
        FakeSlurm slurm = cluster("echo \"$COSMOS_NODE_ROLE of $LOCAL_NODE_LIST at $COSMOS_CONTROLLER_HOST\"");

        assertThat(run(slurm)).isZero();

        assertThat(slurm.base.resolve(NAME + "/controller.out")).hasContent("controller of gpu01 gpu02 at gpu01:8082");
        assertThat(slurm.base.resolve(NAME + "/policy.out")).hasContent("[0] policy of gpu01 gpu02 at gpu01:8082");
        assertThat(slurm.base.resolve(NAME + "/rollout.out")).hasContent("rollout of gpu03 at gpu01:8082");
        assertThat(slurm.calls())
                .containsPattern("srun .*--overlap --nodes=1 --ntasks=1 --nodelist=gpu01 ")
                .containsPattern("srun .*--overlap --nodes=2 --ntasks=2 --nodelist=gpu01,gpu02 ")
                .containsPattern("srun .*--overlap --nodes=1 --ntasks=1 --nodelist=gpu03 ");
    }

    @Test
    @Promise("SL-55")
    void theFirstRoleThatFailsEndsTheOthersAndGivesTheExitCode() throws Exception {
        FakeSlurm slurm =
                cluster("case $COSMOS_NODE_ROLE in rollout) echo boom >&2; exit 3;; *) exec sleep 100;; esac");

        assertThat(run(slurm)).isEqualTo(3);

        assertThat(Files.readString(slurm.base.resolve(NAME + ".err")))
                .contains("tao: role rollout ended with exit code 3", "boom")
                .doesNotContain("role policy ended", "role controller ended");
        assertThat(ExitRecord.parse(Files.readString(slurm.base.resolve("exit/dino-train-0a1b2c-77")))
                        .ownCode(Optional.empty()))
                .hasValue(3);
    }

    private FakeSlurm cluster(String cosmos) throws IOException {
        FakeSlurm slurm = new FakeSlurm(directory);
        slurm.command("scontrol", "[ \"$1\" != show ] || printf 'gpu01\\ngpu02\\ngpu03\\n'");
        slurm.command(
                "srun",
                "for a; do case $a in --output=*) out=${a#*=};; --error=*) err=${a#*=};; esac; done; "
                        + "while case $1 in --*) true;; *) false;; esac; do shift; done; "
                        + "exec \"$@\" >> \"$out\" 2>> \"$err\"");
        slurm.command("nvidia-smi", "for i in 1 2 3 4 5 6 7 8; do echo GPU $i; done");
        slurm.command("cosmos-rl", cosmos);
        return slurm;
    }

    private static int run(FakeSlurm slurm) throws Exception {
        Path script = Files.writeString(
                slurm.base.resolve("sbatch/job"),
                SlurmScript.render(SlurmPlan.of(slurm.target(), small(), Sample.KEY)));
        Path out = Files.createFile(slurm.base.resolve(NAME + ".out"));
        Path err = Files.createFile(slurm.base.resolve(NAME + ".err"));
        Map<String, String> env = new HashMap<>(Map.of(
                "SLURM_JOB_ID", "77",
                "SLURM_JOB_NAME", "tao-job-dino-train-0a1b2c",
                "SLURM_JOB_NODELIST", "gpu[01-03]"));
        Process process = slurm.start("/bin/bash", script, env, out, err);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }
}

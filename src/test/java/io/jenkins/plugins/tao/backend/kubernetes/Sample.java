package io.jenkins.plugins.tao.backend.kubernetes;

import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.SecretSource;
import io.jenkins.plugins.tao.payload.S3Settings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Targets and jobs as small as Kubernetes has them. */
public final class Sample {
    private Sample() {}

    public static Records.Draft<KubernetesTarget> target(SimulatedCluster cluster) {
        return Records.draft(KubernetesTarget.class)
                .with("name", "k8s")
                .with("server", cluster.server().address())
                .with("token", Secret.of(SimulatedServer.TOKEN))
                .with("namespace", "tao-jobs")
                .with("resultsRoot", cluster.results().toString());
    }

    public static JobSpec.Builder job(String command) {
        return JobSpec.of(command)
                .image("nvcr.io/nvidia/tao/tao-toolkit:6.26.3-pyt")
                .resources(resources(1, 1));
    }

    public static Resources resources(int nodes, int gpus) {
        return new Resources(nodes, OptionalInt.of(gpus), OptionalInt.empty(), Optional.empty());
    }

    /** Storage at an address where nothing answers. */
    static S3Settings deadStorage() {
        return new S3Settings(
                Optional.of("http://127.0.0.1:1"),
                Optional.empty(),
                Optional.of("team"),
                Optional.of(SecretSource.known(Secret.of("id"))),
                Optional.of(SecretSource.known(Secret.of("key"))),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }
}

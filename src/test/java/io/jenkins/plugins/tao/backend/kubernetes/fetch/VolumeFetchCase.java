package io.jenkins.plugins.tao.backend.kubernetes.fetch;

import io.fabric8.kubernetes.api.model.Pod;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.kubernetes.ClusterTest;
import io.jenkins.plugins.tao.backend.kubernetes.Fetched;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesBackend;
import io.jenkins.plugins.tao.backend.kubernetes.Sample;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import java.util.List;

/** Files of a volume that a small pod reads, in a cluster of two nodes. */
abstract class VolumeFetchCase extends ClusterTest {
    static final ArtifactPlan PLAN = ArtifactPlan.of(List.of("train/*.pth", "export/**"));

    final Fetched sink = new Fetched();

    private static boolean tick() {
        java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
        return true;
    }

    JobHandle trained() throws Exception {
        reopened(target().with("fetchFromVolume", true).build());
        return finished("train");
    }

    Records.Draft<KubernetesTarget> target() {
        return Sample.target(cluster).with("volumes", List.of("data:" + temporary + "/pvc"));
    }

    void reopened(KubernetesTarget target) {
        backend.close();
        backend = new KubernetesBackend(target, 60, VolumeFetchCase::tick);
    }

    JobHandle finished(String key) throws Exception {
        JobHandle job = submit(
                Sample.job("echo trained; cd " + temporary + "/pvc/results/" + key + " && mkdir -p train export/a\\ b"
                                + " && head -c 300000 /dev/urandom > train/epoch_1.pth && echo x > train/note.txt"
                                + " && echo model > 'export/a b/it'\\''s.onnx'")
                        .build(),
                key);
        until(job, JobState.ENDED);
        return job;
    }

    void fetch(JobHandle job) throws BackendException {
        backend.fetch(job, PLAN, sink);
    }

    List<Pod> readers() {
        return cluster.admin()
                .pods()
                .inNamespace("tao-jobs")
                .withLabel(KubernetesNames.FETCH)
                .list()
                .getItems();
    }
}

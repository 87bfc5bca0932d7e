package io.jenkins.plugins.tao.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Tidying;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Submissions and cancels that break off at random requests, with the answer lost or the request never carried out, and
 * an engine that is gone after that.
 */
abstract class KubernetesKills extends ClusterTest {
    private final Random random = new Random(Long.getLong("tao.seed", 11));
    private final List<String> left = new ArrayList<>();
    private int next;

    /** Lets the request of this number, from now on, fail; its answer alone is lost when it was carried out. */
    private void breakAt(int number, boolean carriedOut) {
        int[] seen = {0};
        cluster.server()
                .fault(
                        request -> seen[0]++ == number,
                        SimulatedServer.status(503, "ServiceUnavailable", "the engine is gone"),
                        carriedOut);
    }

    private Backend engine() {
        return new KubernetesType()
                .open(Sample.target(cluster)
                        .with("volumes", List.of("data:" + temporary + "/pvc"))
                        .build());
    }

    private static JobSpec spec(int kind) {
        JobSpec.Builder spec = Sample.job("sleep 600").resources(Sample.resources(kind == 2 ? 2 : 1, 0));
        return (kind == 0 ? spec : spec.secrets(Map.of("TOKEN", Secret.of("x")))).build();
    }

    private List<Job> jobs(String key) {
        return cluster.admin().batch().v1().jobs().inNamespace("tao-jobs").list().getItems().stream()
                .filter(job -> key.equals(job.getMetadata().getAnnotations().get(KubernetesNames.KEY)))
                .toList();
    }

    /** Makes so many of them, and sees that no job is doubled, none is lost and none stays suspended unseen. */
    final void kill(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            oneKill();
            cluster.server().forgetFaults();
        }
        tidied();
    }

    private void oneKill() throws Exception {
        String key = "kill-" + next++;
        int kind = random.nextInt(3);
        breakAt(random.nextInt(5), random.nextBoolean());
        boolean known;
        try (Backend engine = engine()) {
            engine.submit(spec(kind), new JobKey(key));
            known = true;
        } catch (BackendException e) {
            known = false;
        }
        cluster.server().forgetFaults();
        assertThat(jobs(key)).hasSizeLessThanOrEqualTo(1);
        if (!known && random.nextBoolean()) {
            left.add(key); // whoever submitted never comes back
            return;
        }
        try (Backend engine = engine()) {
            JobHandle job = engine.submit(spec(kind), new JobKey(key));
            assertThat(jobs(key)).hasSize(1);
            assertThat(Boolean.TRUE.equals(jobs(key).get(0).getSpec().getSuspend()))
                    .isFalse();
            cancelled(engine, job);
        }
    }

    private void cancelled(Backend engine, JobHandle job) throws Exception {
        assertThat(engine.poll(Set.of(job))).containsKey(job);
        breakAt(random.nextInt(3), random.nextBoolean());
        try {
            engine.cancel(job);
        } catch (BackendException e) {
            cluster.server().forgetFaults();
            engine.cancel(job);
        }
        cluster.server().forgetFaults();
        await().until(() -> engine.poll(Set.of(job))
                        .getOrDefault(job, JobStatus.live(JobState.UNCLEAR, ""))
                        .state()
                == JobState.ENDED);
        await().until(() -> jobs(job.key().value()).isEmpty());
    }

    /** Those of which nothing runs are seen by the next cleaning, with their Secrets; those that run are left alone. */
    private void tidied() throws Exception {
        List<String> held = left.stream()
                .filter(key -> jobs(key).stream()
                        .anyMatch(job -> Boolean.TRUE.equals(job.getSpec().getSuspend())))
                .toList();
        List<String> running = left.stream()
                .filter(key -> jobs(key).stream()
                        .anyMatch(job -> !Boolean.TRUE.equals(job.getSpec().getSuspend())))
                .toList();
        try (Backend engine = engine()) {
            assertThat(((Tidying) engine).tidy(true).jobs()).isEmpty();
            cluster.server().ahead(3 * 3600L);
            assertThat(((Tidying) engine).tidy(true).jobs()).containsExactlyInAnyOrderElementsOf(held);
            assertThat(((Tidying) engine).tidy(false).jobs()).containsExactlyInAnyOrderElementsOf(held);
        }
        await().until(() -> held.stream().allMatch(key -> jobs(key).isEmpty()));
        running.forEach(key -> assertThat(jobs(key)).hasSize(1));
    }
}

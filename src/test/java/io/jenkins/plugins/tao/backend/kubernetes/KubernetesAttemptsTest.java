package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.Secret;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A job that is started again after its node was lost. */
class KubernetesAttemptsTest extends ClusterTest {
    private static final Map<String, Secret> TOKEN = Map.of("TOKEN", Secret.of("t0ken"));

    private void useStorage() throws Exception {
        cluster.freeze();
        backend.close();
        backend = new KubernetesType()
                .open(Sample.target(cluster).with("s3", Sample.deadStorage()).build());
    }

    /** What the container of a Job finds in the Secrets that it refers to; a reference that leads nowhere is none. */
    private Map<String, String> found(String job) {
        Map<String, String> found = new TreeMap<>();
        for (EnvVar variable : cluster.job("tao-jobs", job)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getEnv()) {
            Optional.ofNullable(variable.getValueFrom())
                    .flatMap(from -> Optional.ofNullable(from.getSecretKeyRef()))
                    .ifPresent(key -> found.put(variable.getName(), value(key)));
        }
        return found;
    }

    private String value(SecretKeySelector key) {
        var secret = cluster.admin()
                .secrets()
                .inNamespace("tao-jobs")
                .withName(key.getName())
                .get();
        String value = secret == null ? null : secret.getData().get(key.getKey());
        return value == null
                ? "missing in " + key.getName()
                : new String(Base64.getDecoder().decode(value), UTF_8);
    }

    @Test
    void aFurtherAttemptGoesToAnotherNode() throws Exception {
        JobHandle one = submit(Sample.job("exit 9").build(), "away");
        String node = until(one, JobState.ENDED).nodes().get(0);

        JobHandle two = backend.resubmit(one, Map.of(), Set.of(node));

        assertThat(two.nativeId()).isEqualTo("tao-jobs/tao-away-r2");
        assertThat(until(two, JobState.ENDED).nodes()).doesNotContain(node);
    }

    /** The nodes that the next attempt does not take. */
    private List<String> excluded(JobHandle job) {
        Affinity affinity = cluster.job("tao-jobs", job.nativeId().replaceFirst(".*/", ""))
                .getSpec()
                .getTemplate()
                .getSpec()
                .getAffinity();
        NodeSelector required = affinity.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();
        return Stream.ofNullable(required)
                .flatMap(selector -> selector.getNodeSelectorTerms().stream())
                .flatMap(term -> term.getMatchFields().stream())
                .flatMap(field -> field.getValues().stream())
                .toList();
    }

    @Test
    @Promise("NV-30")
    void aFirstAttemptAvoidsNodesByNameAndTheNextOneThoseThatItIsTold() throws Exception {
        cluster.freeze();
        Avoiding avoiding = (Avoiding) backend;
        JobHandle one = avoiding.submit(Sample.job("true").build(), new JobKey("first"), Set.of("gpu01", "gpu02"));
        JobHandle again = avoiding.submit(Sample.job("true").build(), new JobKey("first"), Set.of("gpu07"));
        JobHandle two = backend.resubmit(one, Map.of(), Set.of("gpu03"));

        assertThat(excluded(one)).containsExactly("gpu01", "gpu02");
        assertThat(again.nativeId()).isEqualTo(one.nativeId());
        assertThat(one.resultsDirectory()).as("not on this machine's own disk").startsWith(temporary.toString());
        assertThat(excluded(two)).containsExactly("gpu03");
    }

    @Test
    @Promise("TR-25")
    void aNodeIsAvoidedAsLongAsItIsNamed() throws Exception {
        cluster.freeze();
        JobHandle one = submit(Sample.job("true").build(), "while");

        JobHandle two = backend.resubmit(one, Map.of(), Set.of("gpu01", "gpu02"));
        JobHandle three = backend.resubmit(two, Map.of(), Set.of("gpu03"));
        JobHandle four = backend.resubmit(three, Map.of(), Set.of());

        assertThat(excluded(two)).containsExactly("gpu01", "gpu02");
        assertThat(excluded(three)).containsExactly("gpu03");
        assertThat(excluded(four)).isEmpty();
    }

    @Test
    void aFurtherAttemptFindsTheKeysOfTheTargetsStorage() throws Exception {
        useStorage();
        JobSpec spec = Sample.job("true")
                .inputs(List.of("s3://data/coco"))
                .secrets(TOKEN)
                .build();
        JobHandle one = submit(spec, "s3");

        JobHandle two = backend.resubmit(one, TOKEN, Set.of());
        backend.resubmit(two, TOKEN, Set.of());

        assertThat(found("tao-s3"))
                .containsEntry("AWS_ACCESS_KEY_ID", "id")
                .containsEntry("TOKEN", "t0ken")
                .hasEntrySatisfying("CLOUD_METADATA", text -> assertThat(text).contains("\"data\"", "\"team\""));
        assertThat(found("tao-s3-r2")).isEqualTo(found("tao-s3"));
        assertThat(found("tao-s3-r3")).isEqualTo(found("tao-s3"));
    }

    @Test
    void aFurtherAttemptFindsTheKeysOfTheJobsOwnStorage() throws Exception {
        cluster.freeze();
        Map<String, Secret> keys = Map.of("ACCESS_KEY", Secret.of("mine"), "SECRET_KEY", Secret.of("own"));
        JobSpec spec = Sample.job("true")
                .inputs(List.of("s3://data/coco"))
                .env(Map.of("S3_ENDPOINT_URL", "http://127.0.0.1:1"))
                .secrets(keys)
                .build();
        JobHandle one = submit(spec, "own");

        backend.resubmit(one, keys, Set.of());

        assertThat(found("tao-own")).containsEntry("AWS_SECRET_ACCESS_KEY", "own");
        assertThat(found("tao-own-r2")).isEqualTo(found("tao-own"));
    }

    @Test
    void anAttemptThatBrokeOffIsFinishedWithAllItsKeys() throws Exception {
        useStorage();
        JobHandle one = submit(Sample.job("true").build(), "s3");
        cluster.server().faultOnce("POST", "/secrets", 500);
        assertThatThrownBy(() -> backend.resubmit(one, Map.of(), Set.of())).isInstanceOf(Unreachable.class);

        backend.resubmit(one, Map.of(), Set.of());

        assertThat(found("tao-s3-r2")).isEqualTo(found("tao-s3")).containsKey("CLOUD_METADATA");
    }

    @Test
    void anAttemptWhoseSecretsNobodyHasIsRefusedInsteadOfMadeToWait() throws Exception {
        cluster.freeze();
        JobHandle one = submit(Sample.job("true").secrets(TOKEN).build(), "bare");

        assertThatThrownBy(() -> backend.resubmit(one, Map.of(), Set.of()))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("TOKEN");
        assertThat(cluster.job("tao-jobs", "tao-bare-r2")).isNull();
    }
}

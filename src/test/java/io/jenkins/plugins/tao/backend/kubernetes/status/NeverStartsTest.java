package io.jenkins.plugins.tao.backend.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.backend.kubernetes.ClusterTest;
import io.jenkins.plugins.tao.backend.kubernetes.Nodes;
import io.jenkins.plugins.tao.backend.kubernetes.Sample;
import io.jenkins.plugins.tao.backend.kubernetes.checks.CapacityReply;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which waiting jobs can never start, and which may. */
class NeverStartsTest extends ClusterTest {
    private static final Instant SOON = Instant.parse("2026-11-21T17:01:00Z");

    private static boolean never(JobView view, CapacityReply nodes) {
        return KubernetesReply.status(view, Optional.of(nodes), Optional.empty())
                .outlook()
                .never();
    }

    @ParameterizedTest
    @ValueSource(strings = {"too-many-gpus-1.28", "too-many-gpus-1.36"})
    @Promise("TR-21")
    void moreGpusThanAnyNodeHasCanNeverStart(String name) {
        assertThat(never(Captured.view(name), Nodes.gpus("n", 4))).isTrue();
        assertThat(never(Captured.view(name), Nodes.plain("n"))).isTrue();
        assertThat(never(Captured.view(name), Nodes.gpus("n", 8))).isFalse();
        assertThat(never(Captured.view(name), Nodes.cordoned("n", 8))).isFalse();
        assertThat(never(Captured.view(name), Nodes.tainted("n", 8))).isFalse();
        assertThat(never(Captured.view(name), new CapacityReply(List.of()))).isFalse();
        assertThat(never(Captured.view(name, SOON), Nodes.gpus("n", 4))).isFalse();
    }

    @Test
    @Promise("TR-21")
    void aClusterThatGrowsForThePodMayStartIt() {
        JobView view = Captured.view("too-many-gpus-1.36");
        List<Event> events = new ArrayList<>(view.events());
        events.add(event(
                "Pod", view.pods().get(0).name(), "TriggeredScaleUp", "pod triggered scale-up: [{gpu 0->1 (max: 4)}]"));

        assertThat(never(new JobView(view.job(), view.listed(), events, view.now()), Nodes.gpus("n", 4)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "manifest for nvcr.io/x:y not found: manifest unknown, true",
        "failed to resolve reference nvcr.io/x:y: nvcr.io/x:y: not found, true",
        "pull access denied: repository does not exist or may require authorization: not found, false",
        "dial tcp: i/o timeout, false",
    })
    @Promise("TR-21")
    void anImageThatIsNotInTheRegistryCanNeverBePulled(String message, boolean never) {
        JobView view = Captured.view("image-pull");
        view.pods().get(0).waiting().orElseThrow().setMessage(message);

        assertThat(never(view, Nodes.gpus("n", 8))).isEqualTo(never);
        assertThat(never(new JobView(view.job(), view.listed(), view.events(), Optional.of(SOON)), Nodes.gpus("n", 8)))
                .isFalse();
    }

    /** What containerd says of its own store ends in "not found", too. */
    @ParameterizedTest
    @ValueSource(strings = {"snapshot-not-found", "content-not-found"})
    void aPartThatTheNodeLostIsNoMissingImage(String name) {
        JobView view = Captured.view(name);

        assertThat(never(view, Nodes.gpus("n", 8))).isFalse();
        assertThat(KubernetesReply.status(view, Optional.empty(), Optional.empty())
                        .reason()
                        .orElseThrow())
                .contains("the node's own image store")
                .doesNotContain("has no such image");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0/4 nodes are available: persistentvolumeclaim "data" not found. not found|make the claim, or name another
            persistentvolumeclaim "data" is being deleted|make the claim, or name another
            0/4 nodes are available: persistentvolumeclaim "data" bound to non-existent persistentvolume "pv-1".|make the claim again
            storageclass.storage.k8s.io "fast" not found|kubectl get storageclasses
            running "VolumeBinding" filter plugin: StorageClass "fast" not found|kubectl get storageclasses
            0/4 nodes are available: resourceclaim "gpus" not found. preemption: 0/4 nodes are available|make the ResourceClaim
            """)
    void aPodThatLacksWhatOnlyAUserMakesCanNeverStart(String message, String remedy) {
        JobView late = unscheduled(message, Captured.NOON);

        assertThat(never(late, Nodes.gpus("n", 8))).isTrue();
        assertThat(never(unscheduled(message, SOON), Nodes.gpus("n", 8))).isFalse();
        assertThat(reason(late)).contains(message, remedy);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0/4 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
                "0/4 nodes are available: 4 node(s) didn't find available persistent volumes to bind.",
                "waiting for ephemeral volume controller to create the persistentvolumeclaim \"x\"",
            })
    void aClaimThatMayBeBoundIsWaitedFor(String message) {
        assertThat(never(unscheduled(message, Captured.NOON), Nodes.gpus("n", 8)))
                .isFalse();
    }

    private static JobView unscheduled(String message, Instant now) {
        JobView view = Captured.view("missing-claim", now);
        view.pods().get(0).condition("PodScheduled", "False").orElseThrow().setMessage(message);
        return view;
    }

    private static String reason(JobView view) {
        return KubernetesReply.status(view, Optional.empty(), Optional.empty())
                .reason()
                .orElseThrow();
    }

    /** The scheduler says that a claim has no volume, and not why. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ProvisioningFailed|storageclass.storage.k8s.io "fast" not found|kubectl get storageclasses|true
            FailedBinding|no persistent volumes available for this claim and no storage class is set|make a volume|true
            ProvisioningFailed|failed to provision volume with StorageClass "fast": rpc error: code = DeadlineExceeded|kubectl get pvc|false
            WaitForFirstConsumer|waiting for first consumer to be created before binding|kubectl get pvc|false
            """)
    void whyAClaimHasNoVolumeIsReadFromItsEvents(String event, String message, String words, boolean never) {
        JobView bare = unscheduled(
                "0/4 nodes are available: pod has unbound immediate PersistentVolumeClaims.", Captured.NOON);
        bare.pods()
                .get(0)
                .pod()
                .getSpec()
                .setVolumes(List.of(new VolumeBuilder()
                        .withName("v")
                        .withNewPersistentVolumeClaim("data", false)
                        .build()));
        List<Event> events = Stream.of("data", "other")
                .map(claim -> event("PersistentVolumeClaim", claim, event, message))
                .toList();

        JobView view = bare.with(events);

        assertThat(bare.subjects())
                .containsExactly(
                        "Job/" + bare.name(), "Pod/" + bare.pods().get(0).name(), "PersistentVolumeClaim/data");
        assertThat(view.events()).hasSize(1);
        assertThat(never(view, Nodes.gpus("n", 8))).isEqualTo(never);
        assertThat(reason(view)).contains(words);
    }

    static Event event(String kind, String name, String reason, String message) {
        return new EventBuilder()
                .withNewMetadata()
                .withCreationTimestamp("2026-11-21T17:00:30Z")
                .endMetadata()
                .withReason(reason)
                .withMessage(message)
                .withNewInvolvedObject()
                .withKind(kind)
                .withName(name)
                .endInvolvedObject()
                .build();
    }

    /** Some clusters refuse a login that is there for a while; one that is not there is refused for ever. */
    @ParameterizedTest
    @CsvSource({"FailedToRetrieveImagePullSecret, true", "Pulling, false"})
    void anImageWhosePullSecretIsMissingCanNeverBePulled(String event, boolean never) {
        JobView view = Captured.view("image-pull");
        view.pods().get(0).waiting().orElseThrow().setMessage("failed to authorize: 401 Unauthorized");
        view.pods().get(0).pod().getSpec().setImagePullSecrets(List.of(new LocalObjectReference("ngc")));

        JobView seen = view.with(List.of(event(
                "Pod",
                view.pods().get(0).name(),
                event,
                "Unable to retrieve some image pull secrets (ngc); attempting to pull the image may not succeed.")));

        assertThat(never(seen, Nodes.gpus("n", 8))).isEqualTo(never);
        assertThat(reason(seen)).contains(never ? "which is not there: 'ngc'" : "with the pull secret 'ngc'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "nvidia" is configured|true
            Failed to create pod sandbox: plugin type="calico" failed (add): connection refused|false
            """)
    void aNodeWithoutTheRuntimeOfThePodCanNeverStartIt(String message, boolean never) {
        JobView view = Captured.view("image-pull");
        view.pods().get(0).waiting().orElseThrow().setReason("ContainerCreating");

        JobView seen = view.with(List.of(event("Pod", view.pods().get(0).name(), "FailedCreatePodSandBox", message)));

        assertThat(never(seen, Nodes.gpus("n", 8))).isEqualTo(never);
        assertThat(reason(seen)).contains(message, never ? "runtimeClass" : "no network");
    }

    @Test
    @Promise("TR-21")
    void aLabelThatNoNodeHasIsSeenInTheCluster() throws Exception {
        JobHandle job = submit(
                Sample.job("true")
                        .options(Records.of(KubernetesOptions.class, "nodeSelector", Map.of("gpu", "b300")))
                        .build(),
                "label");
        await().until(() -> look(job).nativeState().equals("Unschedulable"));
        boolean soon = look(job).outlook().never();

        cluster.server().ahead(400);
        JobStatus later = look(job);

        assertThat(soon).isFalse();
        assertThat(later.state()).isEqualTo(JobState.PENDING);
        assertThat(later.outlook().never()).isTrue();
        assertThat(later.reason().orElseThrow()).contains("{gpu=b300}");
        backend.cancel(job);
        assertThat(until(job, JobState.ENDED).ending()).hasValue(Ending.CANCELLED);
    }
}

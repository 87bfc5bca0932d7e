package io.jenkins.plugins.tao.backend.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.jenkins.plugins.tao.backend.kubernetes.Captured;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.KueueReply;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which refusals to make a pod, and to admit a Job, are for good. */
class RefusalTest {
    private static final Instant SOON = Instant.parse("2026-11-21T17:00:30Z");

    private static JobStatus status(JobView view) {
        return KubernetesReply.status(view, Optional.empty(), Optional.empty());
    }

    private static JobView refused(String why, Instant now) {
        JobView view = Captured.view("quota", now);
        view.events().forEach(event -> event.setMessage("Error creating: " + why));
        return view;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // after half a minute | after half an hour | remedy | words
                "true|true|LimitRange|pods \"x\" is forbidden: maximum memory usage per Container is 512Mi, but limit is 1Gi",
                "true|true|LimitRange|pods \"x\" is forbidden: minimum cpu usage per Pod is 2, but request is 1",
                "true|true|LimitRange|pods \"x\" is forbidden: cpu max limit to request ratio per Container is 2",
                "true|true|podSecurity|pods \"x\" is forbidden: violates PodSecurity \"restricted:latest\": runAsNonRoot != true",
                "true|true|more than the whole of it|pods \"x\" is forbidden: exceeded quota: q, requested: requests.nvidia.com/gpu=8, used: requests.nvidia.com/gpu=0, limited: requests.nvidia.com/gpu=4",
                "true|true|more than the whole of it|pods \"x\" is forbidden: exceeded quota: q, requested: limits.cpu=2,limits.memory=8Gi, used: limits.cpu=0,limits.memory=0, limited: limits.cpu=4,limits.memory=500Mi",
                "false|false|used up|pods \"x\" is forbidden: exceeded quota: q, requested: requests.nvidia.com/gpu=8, used: requests.nvidia.com/gpu=4, limited: requests.nvidia.com/gpu=8",
                "false|false|used up|pods \"x\" is forbidden: exceeded quota: q, requested: limits.cpu=500m, used: limits.cpu=1800m, limited: limits.cpu=2",
                "true|true|set memory|pods \"x\" is forbidden: failed quota: q: must specify limits.memory for: main",
                "true|true|another namespace|pods \"x\" is forbidden: unable to create new content in namespace tao-jobs because it is being terminated",
                "true|true|podSecurity|pods \"x\" is forbidden: unable to validate against any security context constraint: []",
                "true|true|patch of the pod|Pod \"x\" is invalid: spec.containers[0].volumeMounts[0].name: Not found: \"nosuch\"",
                "false|true|make the service account|error looking up service account tao-jobs/trainer: serviceaccount \"trainer\" not found",
                "false|true|priorityclasses|pods \"x\" is forbidden: no PriorityClass with name high was found",
                "false|true|runtimeclasses|pods \"x\" is forbidden: pod rejected: RuntimeClass \"nvidia\" not found",
                "true|true|rules for nodeSelector|pods \"x\" is forbidden: pod node label selector conflicts with its namespace node label selector",
                "true|true|rules for nodeSelector|pods \"x\" is forbidden: pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist",
                "false|true|policy|pods \"x\" is forbidden: ValidatingAdmissionPolicy 'images' with binding 'all' denied request: no latest tags",
                "false|true|policy|pods \"x\" is forbidden: image policy webhook backend denied one or more images: not signed",
                "false|true|policy|admission webhook \"validate.kyverno.svc\" denied the request: no latest tags",
                "false|false|no pod|Internal error occurred: failed calling webhook \"a.example\": connection refused",
                "false|false|no pod|Internal error occurred: etcdserver: request timed out",
            })
    void aRefusalThatNoWaitingChangesIsForGood(boolean soon, boolean later, String remedy, String why) {
        JobStatus early = status(refused(why, SOON));
        JobStatus late = status(refused(why, Instant.parse("2026-11-21T17:30:00Z")));

        assertThat(early.state()).isEqualTo(JobState.PENDING);
        assertThat(early.outlook().never()).isEqualTo(soon);
        assertThat(late.outlook().never()).isEqualTo(later);
        assertThat(late.reason().orElseThrow()).contains(remedy);
    }

    @Test
    void aGangThatTogetherIsMoreThanAQuotaHoldsNoGpus() {
        JobView both = Captured.view("gang-partly");
        List<PodView> first =
                both.pods().stream().filter(PodView::isRunning).limit(1).toList();
        JobView quota = Captured.view("quota");
        quota.events().forEach(event -> {
            event.getInvolvedObject().setName(both.name());
            event.setMessage(
                    "Error creating: pods \"x\" is forbidden: exceeded quota: q, requested:"
                            + " requests.nvidia.com/gpu=8, used: requests.nvidia.com/gpu=8, limited: requests.nvidia.com/gpu=12");
        });

        JobStatus status = status(new JobView(both.job(), first, quota.events(), both.now()));

        assertThat(status.state()).isEqualTo(JobState.PENDING);
        assertThat(status.outlook().never()).isTrue();
        assertThat(status.reason().orElseThrow()).contains("more than the whole of it");
    }

    private static JobStatus queued(String name, Instant now) {
        JobView view = Captured.view(name, now);
        List<GenericKubernetesResource> workloads = Captured.items(name).stream()
                .filter(item -> item.getKind().equals("Workload"))
                .map(HasMetadata.class::cast)
                .map(GenericKubernetesResource.class::cast)
                .toList();
        return KubernetesReply.status(view, Optional.empty(), KueueReply.admission(workloads, view.job()));
    }

    @ParameterizedTest
    @CsvSource({
        "kueue-no-such-local-queue, LocalQueue gpu-night doesn't exist, true",
        "kueue-cluster-queue-missing, ClusterQueue night-cq doesn't exist, true",
        "kueue-more-than-all-quota, maximum capacity (32), true",
        "kueue-control-busy, 8 more needed, false",
    })
    void aQueueThatWillNeverAdmitTheJobIsSaidInKueuesWords(String name, String words, boolean never) {
        JobStatus early = queued(name, Instant.parse("2026-11-21T17:01:00Z"));
        JobStatus late = queued(name, Instant.parse("2026-11-21T17:06:00Z"));

        assertThat(early.outlook().never()).isFalse();
        assertThat(late.outlook().never()).isEqualTo(never);
        assertThat(late.state()).isEqualTo(JobState.PENDING);
        assertThat(late.reason().orElseThrow()).contains(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Pending: LocalQueue gpus doesn't exist|true",
                "Pending: couldn't assign flavors to pod set main: resource nvidia.com/gpu unavailable in ClusterQueue|true",
                "Inadmissible: ClusterQueue gpus is inactive|false",
                "Pending: couldn't assign flavors to pod set main: insufficient quota for nvidia.com/gpu in flavor a, request > maximum capacity (4)|true",
                "Pending: couldn't assign flavors to pod set main: insufficient quota for nvidia.com/gpu in flavor a, request > maximum capacity (4), insufficient unused quota for nvidia.com/gpu in flavor b, 1 more needed|false",
            })
    void olderVersionsOfKueueSayTheSameWithOtherReasons(String admission, boolean forGood) {
        assertThat(KueueReply.isForGood(admission)).isEqualTo(forGood);
    }
}

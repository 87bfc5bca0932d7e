package io.jenkins.plugins.tao.backend.kubernetes.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.kubernetes.Sample;
import io.jenkins.plugins.tao.backend.kubernetes.request.AttemptRequest;
import io.jenkins.plugins.tao.backend.kubernetes.request.JobRequest;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import io.jenkins.plugins.tao.job.JobKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What pods have and have not, beyond the options that most jobs need. */
class PodShapeTest {
    private static PodShape patched(String patch) {
        return new PodShape(
                Map.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.of(patch));
    }

    private static Job job(Records.Draft<KubernetesOptions> options) throws Exception {
        KubernetesTarget target = Records.of(KubernetesTarget.class, "name", "k8s", "namespace", "ns");
        return JobRequest.render(KubernetesPlan.of(
                target, Sample.job("true").options(options.build()).build(), new JobKey("a"), Optional.empty()));
    }

    private static PodSpec pod(Records.Draft<KubernetesOptions> options) throws Exception {
        return job(options).getSpec().getTemplate().getSpec();
    }

    @Test
    @Promise("TR-49")
    void podsCarryNeitherServiceLinksNorAnApiToken() throws Exception {
        PodSpec plain = pod(Records.draft(KubernetesOptions.class));
        PodSpec asked = pod(Records.draft(KubernetesOptions.class)
                .with(
                        "pod",
                        new PodShape(
                                Map.of(),
                                List.of(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(true),
                                Map.of(),
                                Optional.empty())));

        assertThat(plain.getEnableServiceLinks()).isFalse();
        assertThat(plain.getAutomountServiceAccountToken()).isFalse();
        assertThat(asked.getAutomountServiceAccountToken()).isTrue();
    }

    @Test
    @Promise("TR-50")
    void resourcesCapabilitiesAndSecretsReachTheContainer() throws Exception {
        PodSpec pod = pod(Records.draft(KubernetesOptions.class)
                .with(
                        "pod",
                        new PodShape(
                                Map.of("rdma/hca", "1", "hugepages-2Mi", "5Gi"),
                                List.of("IPC_LOCK"),
                                Optional.of("nvidia"),
                                Optional.of(true),
                                Optional.empty(),
                                Map.of("HF_TOKEN", "hub/token"),
                                Optional.empty())));

        Container main = pod.getContainers().get(0);
        assertThat(main.getResources().getLimits())
                .containsEntry("rdma/hca", new Quantity("1"))
                .containsEntry("hugepages-2Mi", new Quantity("5Gi"))
                .containsKey("nvidia.com/gpu");
        assertThat(main.getResources().getRequests()).containsEntry("rdma/hca", new Quantity("1"));
        assertThat(main.getSecurityContext().getCapabilities().getAdd()).containsExactly("IPC_LOCK");
        assertThat(main.getEnv())
                .filteredOn(env -> env.getName().equals("HF_TOKEN"))
                .singleElement()
                .satisfies(env -> {
                    assertThat(env.getValueFrom().getSecretKeyRef().getName()).isEqualTo("hub");
                    assertThat(env.getValueFrom().getSecretKeyRef().getKey()).isEqualTo("token");
                });
        assertThat(pod.getRuntimeClassName()).isEqualTo("nvidia");
        assertThat(pod.getHostNetwork()).isTrue();
        assertThat(pod.getDnsPolicy()).isEqualTo("ClusterFirstWithHostNet");
    }

    @Test
    @Promise("TR-50")
    void volumesOfOtherKindsAreMounted() throws Exception {
        List<String> volumes = List.of(
                "claim:/data:ro",
                "secret=tls:/tls",
                "configMap=specs:/specs",
                "hostPath=/raid:/raid",
                "emptyDir=200Gi:/scratch",
                "nfs=filer.corp/export/sets:/sets:ro");
        PodSpec pod = pod(Records.draft(KubernetesOptions.class).with("volumes", volumes));

        assertThat(pod.getVolumes())
                .extracting(volume -> volume.getPersistentVolumeClaim() != null
                        ? "claim"
                        : volume.getSecret() != null
                                ? "secret " + volume.getSecret().getSecretName()
                                : volume.getConfigMap() != null
                                        ? "configMap " + volume.getConfigMap().getName()
                                        : volume.getHostPath() != null
                                                ? "host " + volume.getHostPath().getPath()
                                                : volume.getNfs() != null
                                                        ? "nfs "
                                                                + volume.getNfs()
                                                                        .getServer() + " "
                                                                + volume.getNfs()
                                                                        .getPath()
                                                        : "empty "
                                                                + volume.getEmptyDir()
                                                                        .getSizeLimit())
                .contains(
                        "claim",
                        "secret tls",
                        "configMap specs",
                        "host /raid",
                        "empty 200Gi",
                        "nfs filer.corp /export/sets");
        assertThat(pod.getContainers().get(0).getVolumeMounts())
                .extracting(mount -> mount.getMountPath())
                .contains("/data", "/tls", "/specs", "/raid", "/scratch", "/sets");
    }

    @Test
    @Promise("TR-50")
    void aPatchShapesThePodAndLeavesTheRest() throws Exception {
        PodSpec pod = pod(Records.draft(KubernetesOptions.class)
                .with("tolerations", List.of("a"))
                .with("pod", patched("""
            metadata: {annotations: {team: vision}}
            spec:
              tolerations: [{key: b, operator: Exists}]
              affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                {matchExpressions: [{key: zone, operator: In, values: [x]}]}]}}}
              topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]
              initContainers: [{name: proxy, image: p, restartPolicy: Always}]
              containers: [{name: main, env: [{name: EXTRA, value: '1'}], volumeMounts: [{name: v, mountPath: /v}]}]
              volumes: [{name: v, emptyDir: {}}]
            """)));

        assertThat(pod.getTolerations()).extracting(each -> each.getKey()).containsExactly("a", "b");
        assertThat(pod.getTopologySpreadConstraints()).hasSize(1);
        assertThat(pod.getInitContainers()).hasSize(1);
        assertThat(pod.getContainers()).hasSize(1);
        Container main = pod.getContainers().get(0);
        assertThat(main.getCommand()).hasSize(3);
        assertThat(main.getEnv()).extracting(env -> env.getName()).contains("EXTRA", "TAO_NODE_NAME");
        assertThat(main.getVolumeMounts())
                .extracting(mount -> mount.getMountPath())
                .contains("/v", "/dev/shm");
        assertThat(pod.getVolumes()).extracting(volume -> volume.getName()).contains("v", "dshm");
    }

    @Test
    @Promise("TR-50")
    void aFurtherAttemptKeepsTheJobsOwnAffinity() throws Exception {
        Job first = job(Records.draft(KubernetesOptions.class)
                .with(
                        "pod",
                        patched("spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                                + " {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values:"
                                + " [x]}]}]}}}}")));

        Job second = AttemptRequest.render(first, 2, "tao-a-r2", Set.of("gpu-1"));
        Job third = AttemptRequest.render(second, 3, "tao-a-r3", Set.of("gpu-1", "gpu-2"));

        var terms = third.getSpec()
                .getTemplate()
                .getSpec()
                .getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms();
        assertThat(terms).hasSize(1);
        assertThat(terms.get(0).getMatchExpressions()).hasSize(1);
        assertThat(terms.get(0).getMatchFields())
                .flatExtracting(field -> field.getValues())
                .containsExactly("gpu-1", "gpu-2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[",
                "just text",
                "kind: Pod",
                "spec: {restartPolicy: Always}",
                "spec: {subdomain: x}",
                "spec: {containers: [{name: side, image: x}]}",
                "spec: {containers: [{name: main, command: [x]}]}",
                "spec: {containers: [{name: main, image: x}]}",
                "metadata: {name: x}",
                "metadata: {labels: {tao-run.jenkins.io/job: x}}",
            })
    @Promise({"NS-22", "TR-50"})
    void aPatchCannotChangeWhatTheJobIs(String patch) {
        assertThatThrownBy(() -> patched(patch))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("patch");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tape=x:/x", "emptyDir=lots:/x", "nfs=server:/x", "hostPath=raid:/x", "secret=:/x"})
    @Promise("TR-50")
    void aVolumeThatIsNoneIsRefused(String volume) {
        assertThatThrownBy(() -> Records.of(KubernetesOptions.class, "volumes", List.of(volume)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("volumes");
    }
}

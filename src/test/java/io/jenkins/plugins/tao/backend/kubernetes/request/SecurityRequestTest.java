package io.jenkins.plugins.tao.backend.kubernetes.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.kubernetes.Sample;
import io.jenkins.plugins.tao.backend.kubernetes.checks.SecurityChecks;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget.PodSecurity;
import io.jenkins.plugins.tao.backend.kubernetes.options.RunAs;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pods for namespaces of the pod security standard {@code restricted}. */
class SecurityRequestTest {
    private static Records.Draft<KubernetesTarget> restricted() {
        return Records.draft(KubernetesTarget.class)
                .with("name", "k8s")
                .with("namespace", "tao-jobs")
                .with("podSecurity", PodSecurity.RESTRICTED);
    }

    private static RunAs user(long user) {
        return new RunAs(OptionalLong.of(user), OptionalLong.empty(), OptionalLong.empty());
    }

    private static KubernetesPlan plan(Records.Draft<KubernetesTarget> target, JobSpec.Builder spec) throws Rejected {
        return KubernetesPlan.of(target.build(), spec.build(), new JobKey("dino-4f1c"), Optional.empty());
    }

    private static PodSpec pod(Records.Draft<KubernetesTarget> target) throws Rejected {
        return JobRequest.render(plan(target, Sample.job("train")))
                .getSpec()
                .getTemplate()
                .getSpec();
    }

    private static void assertRestricted(PodSpec pod) {
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(pod.getInitContainers()).isEmpty();
        assertThat(pod.getContainers()).hasSize(1).allSatisfy(container -> {
            SecurityContext context = container.getSecurityContext();
            assertThat(context.getAllowPrivilegeEscalation()).isFalse();
            assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
            assertThat(context.getCapabilities().getAdd()).isEmpty();
        });
        assertThat(pod.getVolumes())
                .allMatch(volume -> volume.getEmptyDir() != null || volume.getPersistentVolumeClaim() != null);
    }

    @Test
    void aPodKeepsToTheStandardRestrictedWhereTheTargetSaysSo() throws Rejected {
        PodSpec pod = pod(restricted().with("volumes", List.of("results:/results")));

        assertRestricted(pod);
        assertThat(pod.getSecurityContext().getRunAsUser()).isNull();
    }

    @Test
    void theNextAttemptKeepsToTheStandardToo() throws Rejected {
        Job first = JobRequest.render(plan(restricted().with("securityContext", user(1000)), Sample.job("train")));

        Job second = AttemptRequest.render(first, 2, "tao-dino-4f1c-2", Set.of("gpu-07"));

        assertRestricted(second.getSpec().getTemplate().getSpec());
        assertThat(second.getSpec().getTemplate().getSpec().getSecurityContext().getRunAsUser())
                .isEqualTo(1000);
    }

    @Test
    void userAndGroupsArePutOnThePod() throws Rejected {
        RunAs all = new RunAs(OptionalLong.of(1000), OptionalLong.of(2000), OptionalLong.of(3000));

        var context = pod(Records.draft(KubernetesTarget.class)
                        .with("name", "k8s")
                        .with("securityContext", all))
                .getSecurityContext();

        assertThat(context.getRunAsUser()).isEqualTo(1000);
        assertThat(context.getRunAsGroup()).isEqualTo(2000);
        assertThat(context.getFsGroup()).isEqualTo(3000);
        assertThat(context.getFsGroupChangePolicy()).isEqualTo("OnRootMismatch");
        assertThat(context.getRunAsNonRoot()).isNull();
    }

    @Test
    void withoutAnyRequestThePodIsAsImageAndClusterHaveIt() throws Rejected {
        PodSpec pod = pod(Records.draft(KubernetesTarget.class).with("name", "k8s"));

        assertThat(pod.getSecurityContext()).isNull();
        assertThat(pod.getContainers().get(0).getSecurityContext()).isNull();
        assertThat(pod.getVolumes()).extracting(Volume::getName).containsExactly("dshm");
    }

    @Test
    void whoIsNotRootFindsResultsThatCanBeWrittenWhereNoVolumeIs() throws Rejected {
        JobSpec.Builder elsewhere = Sample.job("train").resultsDirectory("/workspace/out");

        KubernetesPlan bare = plan(restricted(), Sample.job("train"));
        KubernetesPlan requested = plan(restricted(), elsewhere);
        KubernetesPlan mounted = plan(restricted().with("volumes", List.of("results:/results")), Sample.job("train"));

        assertThat(bare.scratch()).containsExactly("/results");
        assertThat(requested.scratch()).containsExactly("/results", "/workspace/out");
        assertThat(mounted.scratch()).isEmpty();
        assertThat(ContainerRequest.render(requested).getVolumeMounts())
                .extracting(mount -> mount.getName() + " " + mount.getMountPath())
                .containsExactly("dshm /dev/shm", "scratch-0 /results", "scratch-1 /workspace/out");
    }

    @Test
    void whoIsNotRootHasAHomeAndAName() throws IOException, InterruptedException, Rejected {
        String prologue = Prologue.render(plan(restricted(), Sample.job("train").resources(Sample.resources(1, 0))));
        String nameless = "id() { return 1; }\n" + prologue + "echo $HOME $USER $LOGNAME";
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", nameless).redirectErrorStream(true);
        shell.environment().keySet().removeAll(Set.of("USER", "LOGNAME"));
        shell.environment().put("HOME", "/proc/none");

        Process process = shell.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isZero();
        assertThat(said).isEqualTo("/tmp tao tao\n");
    }

    @Test
    void rootIsRefusedWhereItIsForbidden() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> restricted().with("securityContext", user(0)).build())
                .withMessage("target 'k8s' has podSecurity restricted, which forbids runAsUser 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> user(1L << 31))
                .withMessageStartingWith("runAsUser must be from 0 to 2147483647");
    }

    @Test
    void whatIsCheckedNamesTheUserAndWhatHeLacks() throws Rejected {
        KubernetesPlan mounted = plan(
                restricted().with("volumes", List.of("results:/results")).with("securityContext", user(1000)),
                Sample.job("train"));

        assertThat(SecurityChecks.of(mounted).orElseThrow().detail())
                .isEqualTo("restricted, as user 1000; volumes must be writable for that user, see fsGroup");
        assertThat(SecurityChecks.of(plan(restricted(), Sample.job("train")))
                        .orElseThrow()
                        .detail())
                .contains("not verified", "runAsUser")
                .doesNotContain("fsGroup");
        assertThat(SecurityChecks.of(
                        plan(Records.draft(KubernetesTarget.class).with("name", "k8s"), Sample.job("train"))))
                .isEmpty();
    }
}

package io.jenkins.plugins.tao.backend.kubernetes.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.Golden;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.kubernetes.KubeletProcess;
import io.jenkins.plugins.tao.backend.kubernetes.KubernetesType;
import io.jenkins.plugins.tao.backend.kubernetes.Sample;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesText;
import io.jenkins.plugins.tao.job.GitCode;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobRequestTest {
    private static final JobKey KEY = new JobKey("dino-4f1c");
    private static final KubernetesTarget TARGET =
            Records.of(KubernetesTarget.class, "name", "k8s", "namespace", "tao-jobs");

    private static KubernetesPlan plan(JobSpec spec) throws Rejected {
        return KubernetesPlan.of(TARGET, spec, KEY, Optional.empty());
    }

    private static Job job(JobSpec spec) throws Rejected {
        return JobRequest.render(plan(spec));
    }

    private static JobSpec with(Records.Draft<KubernetesOptions> options) {
        return Sample.job("dino train").options(options.build()).build();
    }

    private static Container main(Job job) {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    @Test
    @Promise({"KU-03", "KU-23", "KU-24", "KU-26", "KU-27", "KG-01", "KG-02"})
    void aPlainJobIsOnePodThatIsNeverStartedAgain() throws Rejected {
        Job job = job(Sample.job("dino train").resources(Sample.resources(1, 8)).build());

        assertThat(job.getApiVersion() + " " + job.getKind()).isEqualTo("batch/v1 Job");
        assertThat(job.getSpec().getBackoffLimit()).isZero();
        assertThat(job.getSpec().getParallelism()).isNull();
        assertThat(job.getSpec().getCompletionMode()).isNull();
        assertThat(job.getSpec().getTtlSecondsAfterFinished()).isEqualTo(3600);
        assertThat(job.getSpec().getTemplate().getSpec().getRestartPolicy()).isEqualTo("Never");
        assertThat(main(job).getImage()).isEqualTo("nvcr.io/nvidia/tao/tao-toolkit:6.26.3-pyt");
        assertThat(main(job).getCommand()).startsWith("/bin/bash", "-c").hasSize(3);
        assertThat(main(job).getCommand().get(2)).contains("tao_command='", "dino train");
        assertThat(main(job).getResources().getLimits()).isEqualTo(Map.of("nvidia.com/gpu", new Quantity("8")));
        assertThat(main(job).getResources().getRequests()).isNullOrEmpty();
    }

    @Test
    void theJobSaysWhichBuildAndCommitItIsOf() throws Rejected {
        String commit = "0123456789abcdef0123456789abcdef01234567";
        JobSpec spec = Sample.job("dino train")
                .gitCode(new GitCode("https://git.example/x.git", commit, Optional.empty()))
                .origin("https://ada:hunter2@ci.example/job/nightly/7/?token=hunter2")
                .build();

        assertThat(job(spec).getMetadata().getAnnotations())
                .containsEntry("tao-run.jenkins.io/build", "https://ci.example/job/nightly/7/")
                .containsEntry("tao-run.jenkins.io/commit", commit);
        assertThat(plan(spec).work())
                .isEqualTo(plan(spec.toBuilder().origin("").build()).work());
    }

    @Test
    @Promise({"KU-35", "KU-36"})
    void severalNodesAreAnIndexedJobBehindAHeadlessService() throws Rejected {
        Job job = job(Sample.job("train").resources(Sample.resources(2, 8)).build());

        assertThat(job.getSpec().getCompletionMode()).isEqualTo("Indexed");
        assertThat(job.getSpec().getCompletions()).isEqualTo(2);
        assertThat(job.getSpec().getParallelism()).isEqualTo(2);
        assertThat(job.getSpec().getTemplate().getSpec().getSubdomain()).isEqualTo("tao-dino-4f1c");
        Service service = (Service) CompanionRequest.of(job, Map.of()).get(0);
        assertThat(service.getMetadata().getName()).isEqualTo(job.getMetadata().getName());
        assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
        assertThat(service.getSpec().getPublishNotReadyAddresses()).isTrue();
        assertThat(service.getSpec().getSelector()).isEqualTo(Map.of("job-name", "tao-dino-4f1c"));
        assertThat(service.getSpec().getPorts().get(0).getPort()).isEqualTo(29500);
        assertThat(main(job).getCommand().get(2)).contains("NODE_RANK=\"$JOB_COMPLETION_INDEX\"");
    }

    @Test
    @Promise({"KU-13", "KU-21", "KU-22", "KU-55", "KG-07"})
    void whatIsAskedForIsInTheManifest() throws Rejected {
        Job job = job(with(Records.draft(KubernetesOptions.class)
                .with("imagePullSecret", "ngc")
                .with("nodeSelector", Map.of("nvidia.com/gpu.product", "H100"))
                .with("tolerations", List.of("nvidia.com/gpu=present:NoSchedule", "dedicated"))
                .with("volumes", List.of("data:/data:ro", "results:/results"))
                .with("ttl", Duration.ofHours(2))
                .with("grace", Duration.ofMinutes(2))
                .with("priorityClass", "high")
                .with("serviceAccount", "trainer")
                .with("memory", "64Gi")
                .with("ephemeralStorage", "200Gi")
                .with("shm", "32Gi")));
        var pod = job.getSpec().getTemplate().getSpec();

        assertThat(pod.getImagePullSecrets()).containsExactly(new LocalObjectReference("ngc"));
        assertThat(pod.getNodeSelector()).containsEntry("nvidia.com/gpu.product", "H100");
        assertThat(pod.getTolerations().get(0).getEffect()).isEqualTo("NoSchedule");
        assertThat(pod.getTolerations().get(1).getOperator()).isEqualTo("Exists");
        assertThat(pod.getVolumes().get(1).getPersistentVolumeClaim().getClaimName())
                .isEqualTo("data");
        assertThat(main(job).getVolumeMounts().get(2).getMountPath()).isEqualTo("/results");
        assertThat(job.getSpec().getTtlSecondsAfterFinished()).isEqualTo(7200);
        assertThat(pod.getTerminationGracePeriodSeconds()).isEqualTo(120);
        assertThat(pod.getPriorityClassName()).isEqualTo("high");
        assertThat(pod.getServiceAccountName()).isEqualTo("trainer");
        assertThat(pod.getVolumes().get(0).getEmptyDir().getSizeLimit()).isEqualTo(new Quantity("32Gi"));
        assertThat(main(job).getResources().getLimits()).containsEntry("ephemeral-storage", new Quantity("200Gi"));
    }

    @Test
    void aJobThatWouldGoBeforeItsEndIsSeenIsRefused() {
        assertThatThrownBy(() -> Records.of(KubernetesOptions.class, "ttl", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("ttl must be at least 10 minutes, was 0s", "before it is looked at again");
    }

    @Test
    @Promise("KG-07")
    void theTimeLimitIsNotedAndTheKubeletKeepsItAfterThePull() throws Rejected {
        Resources hour = new Resources(1, OptionalInt.of(1), OptionalInt.of(4), Optional.of(Duration.ofHours(1)));

        Job job = job(Sample.job("train").resources(hour).build());

        assertThat(job.getSpec().getActiveDeadlineSeconds()).isNull(); // which would count waiting for nodes
        assertThat(job.getMetadata().getAnnotations()).containsEntry(KubernetesNames.LIMIT, "3600");
        assertThat(job.getSpec().getTemplate().getSpec().getActiveDeadlineSeconds())
                .isEqualTo(3600 + 900);
        assertThat(main(job).getResources().getRequests()).containsEntry("cpu", new Quantity("4"));
    }

    @Test
    @Promise("KG-13")
    void theLimitOfScratchSpaceCanBeSet() throws Rejected {
        Job job = job(with(Records.draft(KubernetesOptions.class).with("ephemeralStorage", "200Gi")));

        assertThat(main(job).getResources().getLimits()).containsEntry("ephemeral-storage", new Quantity("200Gi"));
    }

    @Test
    @Promise("KG-06")
    void oneJobFansOut() throws Rejected {
        Job job = job(with(
                Records.draft(KubernetesOptions.class).with("completions", 10).with("parallelism", 4)));

        assertThat(job.getSpec().getCompletions()).isEqualTo(10);
        assertThat(job.getSpec().getParallelism()).isEqualTo(4);
        assertThat(job.getSpec().getCompletionMode()).isEqualTo("Indexed");
        assertThat(job.getSpec().getTemplate().getSpec().getSubdomain()).isNull();
        assertThat(main(job).getCommand().get(2)).doesNotContain("WORLD_SIZE");
    }

    @Test
    @Promise("KG-10")
    void aRestartPolicyThatAJobCannotHaveIsRefused() throws Rejected {
        assertThatThrownBy(() -> Records.of(KubernetesOptions.class, "restartPolicy", "Always"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Never or OnFailure, was 'Always'");
        assertThat(job(with(Records.draft(KubernetesOptions.class)
                                .with("restartPolicy", "OnFailure")
                                .with("backoffLimit", 2)))
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getRestartPolicy())
                .isEqualTo("OnFailure");
    }

    @Test
    @Promise({"KU-25", "KG-16"})
    void credentialsAreReferencesToTheJobsOwnSecret() throws Rejected {
        JobSpec spec = Sample.job("train")
                .env(Map.of("NCCL_DEBUG", "INFO"))
                .secrets(Map.of("HF_TOKEN", Secret.of("hf_secretsecretsecret")))
                .build();
        Job job = job(spec);
        String yaml = KubernetesText.FORM.asYaml(job);

        assertThat(yaml).doesNotContain("hf_secretsecretsecret");
        assertThat(main(job).getEnv())
                .anySatisfy(env -> {
                    assertThat(env.getName()).isEqualTo("HF_TOKEN");
                    assertThat(env.getValueFrom().getSecretKeyRef().getName()).isEqualTo("tao-dino-4f1c");
                })
                .anySatisfy(
                        env -> assertThat(env.getName() + "=" + env.getValue()).isEqualTo("NCCL_DEBUG=INFO"));
        assertThat(CompanionRequest.of(job, spec.secrets()))
                .singleElement()
                .isInstanceOfSatisfying(
                        io.fabric8.kubernetes.api.model.Secret.class,
                        secret -> assertThat(secret.getData()).containsOnlyKeys("HF_TOKEN"));
    }

    @Test
    void whatBelongsToAJobIsOwnedByItAndItWaitsForThat() throws Rejected {
        Job job = job(Sample.job("train")
                .resources(Sample.resources(2, 8))
                .secrets(Map.of("A", Secret.of("a")))
                .build());
        job.getMetadata().setUid("u-1");

        assertThat(job.getSpec().getSuspend()).isTrue();
        assertThat(CompanionRequest.of(job, Map.of("A", Secret.of("a"))))
                .hasSize(2)
                .allSatisfy(each -> assertThat(owner(each)).isEqualTo("u-1"));
    }

    private static String owner(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().get(0).getUid();
    }

    @Test
    @Promise("KU-56")
    void aPullSecretIsMadeOfTheRegistrysKey() throws Rejected {
        JobSpec spec = Sample.job("train")
                .secrets(Map.of("NGC_KEY", Secret.of("nvapi-x")))
                .options(Records.of(KubernetesOptions.class, "createPullSecret", true))
                .build();
        Job job = job(spec);
        var secret = (io.fabric8.kubernetes.api.model.Secret)
                CompanionRequest.of(job, spec.secrets()).get(1);
        String json = new String(
                java.util.Base64.getDecoder().decode(secret.getData().get(".dockerconfigjson")),
                java.nio.charset.StandardCharsets.UTF_8);

        assertThat(secret.getType()).isEqualTo("kubernetes.io/dockerconfigjson");
        assertThat(json).contains("\"nvcr.io\":{\"username\":\"$oauthtoken\",\"password\":\"nvapi-x\"");
        assertThat(job.getSpec().getTemplate().getSpec().getImagePullSecrets())
                .containsExactly(new LocalObjectReference(secret.getMetadata().getName()));
        assertThatThrownBy(() -> job(with(Records.draft(KubernetesOptions.class).with("createPullSecret", true))))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("NGC_KEY");
    }

    @Test
    void aQueueOfKueueHoldsTheJobUntilItIsAdmitted() throws Rejected {
        Job job = job(with(Records.draft(KubernetesOptions.class).with("queue", "gpus")));

        assertThat(job.getSpec().getSuspend()).isTrue();
        assertThat(job.getMetadata().getLabels()).containsEntry("kueue.x-k8s.io/queue-name", "gpus");
    }

    @Test
    void volcanoStartsThePodsAsOneGroup() throws Rejected {
        JobSpec spec = Sample.job("train")
                .resources(Sample.resources(4, 8))
                .options(Records.of(KubernetesOptions.class, "scheduler", "volcano", "queue", "research"))
                .build();
        Job job = job(spec);
        String group = CompanionRequest.of(job, Map.of()).get(1).toString();

        assertThat(job.getSpec().getTemplate().getSpec().getSchedulerName()).isEqualTo("volcano");
        assertThat(job.getSpec().getTemplate().getMetadata().getAnnotations())
                .containsEntry("scheduling.k8s.io/group-name", "tao-dino-4f1c");
        assertThat(group).contains("PodGroup", "minMember=4", "queue=research");
    }

    @Test
    void aDisruptionIsToldFromAnErrorOfTheProgram() throws Rejected {
        var rules =
                job(Sample.job("train").build()).getSpec().getPodFailurePolicy().getRules();

        assertThat(rules.get(0).getAction()).isEqualTo("FailJob");
        assertThat(rules.get(0).getOnPodConditions().get(0).getType()).isEqualTo("DisruptionTarget");
    }

    @Test
    void namesFitWhatTheClusterTakes() {
        String longest = "Very.Long_Name-".repeat(4) + "x-";

        assertThat(KubernetesNames.stem(KEY)).isEqualTo("tao-dino-4f1c");
        assertThat(KubernetesNames.attempt(new JobKey(longest), 99) + "-99").hasSizeLessThanOrEqualTo(63);
        assertThat(KubernetesNames.stem(new JobKey(longest))).matches("[a-z]([-a-z0-9]*[a-z0-9])?");
        assertThat(KubernetesNames.stem(new JobKey("a.b"))).isNotEqualTo(KubernetesNames.stem(new JobKey("a-b")));
        assertThat(KubernetesNames.stem(new JobKey("A-B"))).isNotEqualTo(KubernetesNames.stem(new JobKey("a-b")));
    }

    @Test
    void aFurtherAttemptAvoidsTheNodesThatItsRequestNames() throws Rejected {
        Job first = job(Sample.job("train")
                .resources(Sample.resources(2, 8))
                .secrets(Map.of("A", Secret.of("a")))
                .build());

        Job second = AttemptRequest.render(first, 2, "tao-dino-4f1c-r2", Set.of("gpu-1"));
        Job third = AttemptRequest.render(second, 3, "tao-dino-4f1c-r3", Set.of("gpu-2", "gpu-3"));

        var fields = third.getSpec()
                .getTemplate()
                .getSpec()
                .getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()
                .get(0)
                .getMatchFields();
        assertThat(fields).extracting(field -> field.getValues().get(0)).containsExactly("gpu-2", "gpu-3");
        assertThat(third.getSpec().getTemplate().getSpec().getSubdomain()).isEqualTo("tao-dino-4f1c-r3");
        assertThat(main(third).getEnv())
                .anySatisfy(env -> assertThat(env.getValue()).isEqualTo("tao-dino-4f1c-r3"));
        assertThat(main(third).getEnv().stream()
                        .filter(env -> env.getName().equals("A"))
                        .findFirst()
                        .orElseThrow()
                        .getValueFrom()
                        .getSecretKeyRef()
                        .getName())
                .isEqualTo("tao-dino-4f1c-r3");
    }

    @Test
    void whatTheKubeletWouldReplaceIsGuarded() {
        Map<String, String> env = Map.of("HOME", "/root", "id", "x");
        for (String text : List.of("echo $$ $(HOME) $(id) $((1+2)) $HOME", "$$$$", "a$", "$$(HOME)")) {
            assertThat(KubeletProcess.expand(Expansion.guard(text), env)).isEqualTo(text);
        }
    }

    @Test
    void thePreviewIsExact() throws BackendException, IOException {
        JobSpec spec = Sample.job("dino train -e {config_path}")
                .resources(new Resources(2, OptionalInt.of(8), OptionalInt.empty(), Optional.of(Duration.ofHours(4))))
                .env(Map.of("NCCL_SOCKET_IFNAME", "ib0"))
                .secrets(Map.of("NGC_KEY", Secret.of("nvapi-x")))
                .spec(Map.of("train", Map.of("num_epochs", 12)))
                .options(Records.of(
                        KubernetesOptions.class, "volumes", List.of("results:/results"), "createPullSecret", true))
                .build();

        StringBuilder all = new StringBuilder();
        for (Preview.Part part : new KubernetesType().preview(TARGET, spec, KEY).parts()) {
            all.append("# ").append(part.name()).append('\n').append(part.text());
        }

        assertThat(all).doesNotContain("nvapi-x");
        String frame = "(?s)( *# ---- the frame).*?( *exit \"\\$tao_command_rc\"\n)";
        Golden.check(
                "backend/kubernetes/two-nodes.yaml",
                all.toString().replaceAll(frame, "          (the frame of all payloads)\n"));
    }
}

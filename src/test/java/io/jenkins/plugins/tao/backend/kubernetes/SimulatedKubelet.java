package io.jenkins.plugins.tao.backend.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/** The nodes' side: starts containers as processes, and writes into the pod's status what became of them. */
final class SimulatedKubelet implements AutoCloseable {
    /** What a node says that an image's tag names. */
    static final String DIGEST = "sha256:" + "0a".repeat(32);

    private final SimulatedServer server;
    private final Path bin;
    private final Map<String, KubeletProcess> processes = new ConcurrentHashMap<>();
    private final Map<String, Integer> gpusShown = new ConcurrentHashMap<>();
    private volatile List<String> enter = List.of();

    SimulatedKubelet(SimulatedServer server, Path bin) {
        this.server = server;
        this.bin = bin;
    }

    Optional<KubeletProcess> process(Pod pod) {
        return Optional.ofNullable(processes.get(pod.getMetadata().getUid()));
    }

    /** Starts containers by these words: for one that sees files of its own. */
    void enterBy(List<String> words) {
        enter = List.copyOf(words);
    }

    /** Lets the device plugin of a node give fewer GPUs than the scheduler counted. */
    void showGpus(String node, int gpus) {
        gpusShown.put(node, gpus);
    }

    /** Looks after one pod that has a node. */
    void look(Pod pod) {
        Optional<KubeletProcess> process = process(pod);
        if (process.isEmpty()) {
            start(pod);
        } else if (process.get().exitCode().isPresent()
                && !new PodView(pod).isOver()
                && !new PodView(pod).commandEnded()) {
            ended(pod, process.get().exitCode().getAsInt(), process.get());
        }
    }

    private void start(Pod pod) {
        String image = pod.getSpec().getContainers().get(0).getImage();
        if (image.contains("/nosuch")) {
            waiting(pod, "ImagePullBackOff", "Back-off pulling image \"" + image + "\"");
            return;
        }
        Optional<String> missing = missingSecret(pod);
        if (missing.isPresent()) {
            waiting(pod, "CreateContainerConfigError", "secret \"" + missing.get() + "\" not found");
            return;
        }
        for (var mount : pod.getSpec().getContainers().get(0).getVolumeMounts()) {
            makeDirectory(mount.getName(), mount.getMountPath());
        }
        List<String> command = new ArrayList<>(enter);
        command.addAll(pod.getSpec().getContainers().get(0).getCommand());
        KubeletProcess process = KubeletProcess.start(command, environment(pod), bin);
        processes.put(pod.getMetadata().getUid(), process);
        String now = server.now().toString();
        write(
                pod,
                new PodStatusBuilder(pod.getStatus())
                        .withPhase("Running")
                        .withContainerStatuses(new ContainerStatusBuilder()
                                .withName("main")
                                .withRestartCount(0)
                                .withImageID(image.replaceFirst(":[^:/]*$", "") + "@" + DIGEST)
                                .withState(new ContainerStateBuilder()
                                        .withNewRunning(now)
                                        .build())
                                .build()));
    }

    private static void makeDirectory(String volume, String path) {
        if (volume.startsWith("data-")) {
            try {
                Files.createDirectories(Path.of(path));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Optional<String> missingSecret(Pod pod) {
        return pod.getSpec().getContainers().get(0).getEnv().stream()
                .filter(env -> env.getValueFrom() != null && env.getValueFrom().getSecretKeyRef() != null)
                .map(env -> env.getValueFrom().getSecretKeyRef().getName())
                .filter(name -> secret(pod, name) == null)
                .findFirst();
    }

    private Secret secret(Pod pod, String name) {
        return server.admin()
                .secrets()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(name)
                .get();
    }

    private Map<String, String> environment(Pod pod) {
        List<Map.Entry<String, String>> values = new ArrayList<>();
        for (EnvVar env : pod.getSpec().getContainers().get(0).getEnv()) {
            if (env.getValueFrom() == null) {
                values.add(Map.entry(env.getName(), env.getValue() == null ? "" : env.getValue()));
            } else if (env.getValueFrom().getSecretKeyRef() != null) {
                var reference = env.getValueFrom().getSecretKeyRef();
                String data = secret(pod, reference.getName()).getData().get(reference.getKey());
                String plain = new String(Base64.getDecoder().decode(data), UTF_8);
                values.add(Map.entry(env.getName(), plain.replace("$", "$$"))); // not expanded in a real kubelet either
            } else {
                values.add(Map.entry(env.getName(), pod.getSpec().getNodeName()));
            }
        }
        String index = pod.getMetadata().getAnnotations().get(KubernetesNames.INDEX);
        if (index != null) {
            values.add(Map.entry("JOB_COMPLETION_INDEX", index));
        }
        var limits = pod.getSpec().getContainers().get(0).getResources().getLimits();
        String gpus = limits == null || limits.get("nvidia.com/gpu") == null
                ? "0"
                : limits.get("nvidia.com/gpu").toString();
        Integer shown = gpusShown.get(pod.getSpec().getNodeName());
        values.add(Map.entry("SIMULATED_GPUS", shown == null ? gpus : shown.toString()));
        return KubeletProcess.resolve(values);
    }

    private void waiting(Pod pod, String reason, String message) {
        boolean known = new PodView(pod)
                .waiting()
                .map(state -> reason.equals(state.getReason()))
                .orElse(false);
        if (!known) {
            write(
                    pod,
                    new PodStatusBuilder(pod.getStatus())
                            .withPhase("Pending")
                            .withContainerStatuses(new ContainerStatusBuilder()
                                    .withName("main")
                                    .withState(new ContainerStateBuilder()
                                            .withNewWaiting(message, reason)
                                            .build())
                                    .build()));
        }
    }

    private void ended(Pod pod, int code, KubeletProcess process) {
        String started = new PodView(pod).startedAt().map(Instant::toString).orElse("");
        String message = code == 0 ? null : process.log(Optional.empty(), OptionalInt.of(80), false);
        boolean held = pod.getSpec().getContainers().size() > 1; // the other containers run for ever
        write(
                pod,
                new PodStatusBuilder(pod.getStatus())
                        .withPhase(held ? "Running" : code == 0 ? "Succeeded" : "Failed")
                        .withContainerStatuses(new ContainerStatusBuilder()
                                .withName("main")
                                .withRestartCount(0)
                                .withState(new ContainerStateBuilder()
                                        .withNewTerminated()
                                        .withExitCode(code)
                                        .withReason(code == 0 ? "Completed" : "Error")
                                        .withMessage(message)
                                        .withStartedAt(started)
                                        .withFinishedAt(server.now().toString())
                                        .endTerminated()
                                        .build())
                                .build()));
    }

    void write(Pod pod, PodStatusBuilder status) {
        server.admin()
                .pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .editStatus(each -> {
                    each.setStatus(status.build());
                    return each;
                });
    }

    /** Ends the process of a pod that is to go; true when it is gone. */
    boolean end(Pod pod) {
        Optional<KubeletProcess> process = process(pod);
        process.filter(each -> each.exitCode().isEmpty()).ifPresent(KubeletProcess::end);
        return process.isEmpty() || process.get().exitCode().isPresent();
    }

    @Override
    public void close() {
        processes.values().forEach(KubeletProcess::kill);
    }
}

package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.mockwebserver.http.MockResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A small cluster: the API server with a controller, a scheduler and kubelets that really run what pods say. */
public final class SimulatedCluster implements AutoCloseable {
    private final Path results;
    private final SimulatedServer server;
    private final SimulatedKubelet kubelet;
    private final SimulatedController controller;
    private final SimulatedDns dns;
    private final ScheduledFuture<?> ticking;
    private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();

    /**
     * A cluster without nodes.
     *
     * @param minor the minor version whose ways it has, {@code 28} or {@code 36}
     * @param bin a directory for the programs that nodes bring into containers; the jobs' results lie beside it, in
     *     {@code pvc/results}, since containers have this machine's own disk
     */
    SimulatedCluster(String minor, Path bin) throws IOException {
        server = new SimulatedServer(minor);
        Files.createDirectories(bin);
        results = bin.resolveSibling("pvc/results");
        program(
                bin.resolve("nvidia-smi"),
                "i=0\nwhile [ $i -lt ${SIMULATED_GPUS:-0} ]; do echo \"GPU $i: H100\"; i=$((i + 1)); done");
        Path hosts = bin.resolveSibling("hosts");
        program(bin.resolve("getent"), "[ \"$1\" = hosts ] && grep -F \" $2\" '" + hosts + "'");
        dns = new SimulatedDns(server.admin(), hosts);
        kubelet = new SimulatedKubelet(server, bin);
        controller = new SimulatedController(server, kubelet, Integer.parseInt(minor));
        server.logs(this::log);
        ticking = ticks.scheduleWithFixedDelay(this::tick, 20, 20, TimeUnit.MILLISECONDS);
    }

    private static void program(Path file, String body) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
        }
    }

    private void tick() {
        try {
            controller.tick();
            dns.tick();
        } catch (RuntimeException e) {
            if (!ticks.isShutdown()) {
                System.err.println("the simulated controller stumbled, and goes on: " + e);
            }
        }
    }

    public SimulatedServer server() {
        return server;
    }

    Path results() {
        return results;
    }

    SimulatedKubelet kubelet() {
        return kubelet;
    }

    public KubernetesClient admin() {
        return server.admin();
    }

    /** Stops the controller, so that objects stay as a test puts them. */
    public void freeze() throws InterruptedException {
        ticks.shutdown();
        if (!ticks.awaitTermination(5, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the controller does not rest");
        }
    }

    SimulatedCluster node(String name, int gpus, Map<String, String> labels) {
        var node = new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addToAllocatable("nvidia.com/gpu", new Quantity(String.valueOf(gpus)))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
        admin().nodes().resource(node).create();
        return this;
    }

    SimulatedCluster claim(String namespace, String name, String mode) {
        var claim = new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withAccessModes(mode)
                .endSpec()
                .withNewStatus()
                .withPhase("Bound")
                .endStatus()
                .build();
        admin().persistentVolumeClaims().inNamespace(namespace).resource(claim).create();
        return this;
    }

    public Job job(String namespace, String name) {
        return admin().batch().v1().jobs().inNamespace(namespace).withName(name).get();
    }

    private MockResponse log(String namespace, String pod, Map<String, String> query) {
        var found = server.pod(namespace, pod);
        if (found.isEmpty()) {
            return SimulatedServer.status(404, "NotFound", "pods \"" + pod + "\" not found");
        }
        Optional<KubeletProcess> process = kubelet.process(found.get());
        if (process.isEmpty()) {
            boolean scheduled = found.get().getSpec().getNodeName() != null;
            return scheduled
                    ? SimulatedServer.status(
                            400,
                            "BadRequest",
                            "container \"main\" in pod \"" + pod + "\" is waiting to start: ContainerCreating")
                    : new MockResponse().setResponseCode(200).setBody("");
        }
        String since = query.get("sinceTime");
        String tail = query.get("tailLines");
        String text = process.get()
                .log(
                        Optional.ofNullable(since)
                                .map(time -> OffsetDateTime.parse(time).toInstant()),
                        tail == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(tail)),
                        "true".equals(query.get("timestamps")));
        return new MockResponse().setResponseCode(200).setBody(text);
    }

    @Override
    public void close() {
        ticking.cancel(false);
        ticks.shutdownNow();
        kubelet.close();
        server.close();
    }
}

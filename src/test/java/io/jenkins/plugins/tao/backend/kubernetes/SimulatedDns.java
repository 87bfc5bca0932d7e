package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/**
 * The cluster's DNS as a file of hosts: a pod has the name of its own below a headless service that selects it, from its
 * start on if the service publishes those that are not ready, which here none ever is. The short name is the kubelet's.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/">DNS for Services and Pods</a>,
 *     read for Kubernetes 1.34
 */
final class SimulatedDns {
    private static final String LOCALHOST = "127.0.0.1 localhost\n";

    private final KubernetesClient api;
    private final Path hosts;
    private String written = LOCALHOST;

    SimulatedDns(KubernetesClient api, Path hosts) throws IOException {
        this.api = api;
        this.hosts = Files.writeString(hosts, LOCALHOST);
    }

    void tick() {
        StringBuilder text = new StringBuilder(LOCALHOST);
        List<Pod> pods = api.pods().inAnyNamespace().list().getItems();
        for (Service service : api.services().inAnyNamespace().list().getItems()) {
            pods.stream()
                    .filter(pod -> isNamed(pod, service))
                    .forEach(pod -> text.append("127.0.0.1 ")
                            .append(pod.getSpec().getHostname())
                            .append('.')
                            .append(pod.getSpec().getSubdomain())
                            .append(' ')
                            .append(pod.getSpec().getHostname())
                            .append('\n'));
        }
        if (!text.toString().equals(written)) {
            write(text.toString());
        }
    }

    /** In place, since the file is mounted into pods; longer ones at the end alone, so that no reader finds it empty. */
    private void write(String text) {
        try {
            if (text.startsWith(written)) {
                Files.writeString(hosts, text.substring(written.length()), StandardOpenOption.APPEND);
            } else {
                Files.writeString(hosts, text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        written = text;
    }

    private static boolean isNamed(Pod pod, Service service) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return pod.getMetadata().getNamespace().equals(service.getMetadata().getNamespace())
                && labels != null
                && labels.entrySet().containsAll(service.getSpec().getSelector().entrySet())
                && "None".equals(service.getSpec().getClusterIP())
                && service.getMetadata().getName().equals(pod.getSpec().getSubdomain())
                && new PodView(pod).startedAt().isPresent()
                && Boolean.TRUE.equals(service.getSpec().getPublishNotReadyAddresses());
    }
}

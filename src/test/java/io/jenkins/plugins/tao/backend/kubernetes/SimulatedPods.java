package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;

/** What becomes of a pod on its way from the Job controller to the storage. */
final class SimulatedPods {
    private static final int LONGEST = 57;

    private SimulatedPods() {}

    /** Adds a container that never ends, as an admission webhook of a service mesh does, where the job has the label for it. */
    static void inject(Pod pod) {
        if (pod.getMetadata().getLabels().containsKey("simulate-injected")) {
            List<Container> containers = new ArrayList<>(pod.getSpec().getContainers());
            containers.add(new ContainerBuilder()
                    .withName("proxy")
                    .withImage("proxy:1")
                    .build());
            pod.getSpec().setContainers(containers);
        }
    }

    /** Names of pods are cut to fit with their random end. */
    static String cut(String name) {
        return name.substring(0, Math.min(LONGEST, name.length()));
    }
}

package io.jenkins.plugins.tao.backend.kubernetes.options;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Objects of Kubernetes as YAML and JSON. */
public final class KubernetesText {
    /** The one for all threads and connections: each further one would study the classes of all objects once more. */
    public static final KubernetesSerialization FORM = new KubernetesSerialization();

    private KubernetesText() {}
}

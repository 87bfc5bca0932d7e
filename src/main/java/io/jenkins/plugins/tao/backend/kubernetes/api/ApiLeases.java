package io.jenkins.plugins.tao.backend.kubernetes.api;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.view.Answer;
import java.util.Optional;

/** The Leases of our controllers (coordination.k8s.io/v1), one for each controller and namespace. */
public record ApiLeases(KubernetesClient client, ApiCalls calls) {
    public Answer<Lease> all(String namespace) {
        return calls.list(
                "list Leases in namespace '" + namespace + "'",
                mark -> client.leases()
                        .inNamespace(namespace)
                        .withLabel(KubernetesNames.MANAGED_BY, KubernetesNames.OURS)
                        .list(ApiLists.marked(mark)));
    }

    public Optional<Lease> named(String namespace, String name) throws BackendException {
        return calls.ask(
                "read the Lease '" + name + "'",
                () -> Optional.ofNullable(
                        client.leases().inNamespace(namespace).withName(name).get()));
    }

    /** Makes it; one that is there already stays. */
    public void create(Lease lease) throws BackendException {
        calls.create(
                "create the Lease '" + lease.getMetadata().getName() + "'",
                () -> client.leases()
                        .inNamespace(lease.getMetadata().getNamespace())
                        .resource(lease)
                        .create());
    }

    /** Changes it by a JSON merge patch. */
    public void patch(String namespace, String name, String patch) throws BackendException {
        calls.ask(
                "renew the Lease '" + name + "'",
                () -> Optional.ofNullable(client.leases()
                        .inNamespace(namespace)
                        .withName(name)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), patch)));
    }
}

package io.jenkins.plugins.tao.backend.kubernetes;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Carrying;
import io.jenkins.plugins.tao.backend.Discovery;
import io.jenkins.plugins.tao.backend.FleetingLogs;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.kubernetes.access.ClusterAccess;
import io.jenkins.plugins.tao.backend.kubernetes.access.KubeconfigReply;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesOptions;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPreview;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Kubernetes clusters by their API. */
public final class KubernetesType implements BackendType, Carrying, Discovery, FleetingLogs {
    static final String NAME = "kubernetes";

    /** For {@link java.util.ServiceLoader}. */
    public KubernetesType() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<? extends Target> targetType() {
        return KubernetesTarget.class;
    }

    @Override
    public Class<? extends JobOptions> optionsType() {
        return KubernetesOptions.class;
    }

    @Override
    public String indexVariable() {
        return KubernetesNames.MEMBER_VARIABLE;
    }

    @Override
    public Map<String, String> members(int count, int most) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("completions", String.valueOf(count));
        options.put("parallelism", String.valueOf(most));
        options.put("members", "true");
        return options;
    }

    @Override
    public Backend open(Target target) {
        return new KubernetesBackend(checked(target));
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        KubernetesTarget kubernetes = checked(target);
        return KubernetesPreview.of(KubernetesPlan.of(kubernetes, spec, key, KubeconfigReply.namespace(kubernetes)));
    }

    @Override
    public List<Found> discover(Target target) throws BackendException {
        return discover(checked(target), Optional.empty());
    }

    @Override
    public List<Found> discover(Target target, String field) throws BackendException {
        return discover(checked(target), Optional.of(field));
    }

    private static List<Found> discover(KubernetesTarget target, Optional<String> field) throws BackendException {
        ClusterAccess access = ClusterAccess.of(target);
        String namespace = target.namespace().or(access::namespace).orElse("default");
        try (KubernetesApi api = KubernetesApi.of(target.name(), access)) {
            KubernetesDiscovery discovery = new KubernetesDiscovery(api, namespace);
            return field.isPresent() ? discovery.of(field.get()) : discovery.all();
        }
    }

    private static KubernetesTarget checked(Target target) {
        require(target instanceof KubernetesTarget, "target '%s' is no Kubernetes cluster", target.name());
        return (KubernetesTarget) target;
    }
}

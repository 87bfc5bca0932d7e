package io.jenkins.plugins.tao.backend.kubernetes;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobOptions;
import io.jenkins.plugins.tao.job.JobSpec;

/** Kubernetes clusters by their API. */
public final class KubernetesType implements BackendType {
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
    public Backend open(Target target) {
        return new KubernetesBackend(checked(target));
    }

    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        KubernetesTarget kubernetes = checked(target);
        return KubernetesPreview.of(KubernetesPlan.of(kubernetes, spec, key, KubeconfigReply.namespace(kubernetes)));
    }

    private static KubernetesTarget checked(Target target) {
        require(target instanceof KubernetesTarget, "target '%s' is no Kubernetes cluster", target.name());
        return (KubernetesTarget) target;
    }
}

package io.jenkins.plugins.tao.backend.lepton;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Discovery;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.TargetedType;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.checks.LeptonDiscovery;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonName;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonPlan;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonRequest;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Workspaces of NVIDIA DGX Cloud Lepton. */
public final class LeptonType extends TargetedType<LeptonTarget> implements Discovery {
    static final String NAME = "lepton";

    private static final Duration FORM = Duration.ofSeconds(10);

    private final HttpSettings settings;

    /** For {@link java.util.ServiceLoader}. */
    public LeptonType() {
        this(HttpSettings.defaults());
    }

    LeptonType(HttpSettings settings) {
        super(NAME, LeptonTarget.class, LeptonOptions.class);
        this.settings = settings;
    }

    @Override
    public Backend open(Target target) {
        return new LeptonBackend(checked(target), settings);
    }

    @Override
    public List<Found> discover(Target target) throws BackendException {
        try (LeptonApi api = new LeptonApi(checked(target), settings)) {
            return new LeptonDiscovery(api).all();
        }
    }

    @Override
    public List<Found> discover(Target target, String field) throws BackendException {
        try (LeptonApi api = new LeptonApi(checked(target), settings.call(FORM))) {
            return new LeptonDiscovery(api).of(field);
        }
    }

    /** What the workspace would be asked for stands in angle brackets. */
    @Override
    public Preview preview(Target target, JobSpec spec, JobKey key) throws BackendException {
        LeptonTarget lepton = checked(target);
        LeptonOptions options = LeptonPlan.options(spec, target.name());
        LeptonPlan.Place place = new LeptonPlan.Place(
                LeptonPlan.requestedGroup(lepton, options),
                LeptonPlan.requestedShape(lepton, options)
                        .orElse("<the shape with " + LeptonPlan.gpus(spec) + " GPUs>"),
                LeptonPlan.requestedMounts(lepton, options),
                lepton.pullSecret()
                        .or(() -> lepton.ngcKey().map(ngcKey -> LeptonName.pullSecret(ngcKey.reveal())))
                        .map(List::of)
                        .orElse(List.of()));
        LeptonPlan plan = new LeptonPlan(lepton, spec, key, options, place);
        Map<String, String> secrets = new LinkedHashMap<>();
        plan.payload()
                .secretNames()
                .forEach(variable -> secrets.put(
                        variable,
                        spec.secrets().containsKey(variable)
                                ? LeptonName.secret(key, 1, variable)
                                : "<the secret made of the S3 keys>"));
        String body = Json.pretty(LeptonRequest.job(plan, secrets));
        return new Preview(List.of(
                new Preview.Part("POST jobs", body + "\n"),
                new Preview.Part("container.command", plan.payload().script())));
    }
}

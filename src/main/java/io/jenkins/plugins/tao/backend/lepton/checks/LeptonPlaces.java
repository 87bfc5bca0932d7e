package io.jenkins.plugins.tao.backend.lepton.checks;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonMount;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonVolume;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonName;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonPlan;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonGroup;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonPermission;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonShape;
import io.jenkins.plugins.tao.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds where in the workspace a job can run: node group, shape, volumes, pull secrets. */
public record LeptonPlaces(LeptonTarget target, LeptonApi api) {
    public LeptonPlan.Place find(JobSpec spec, LeptonOptions options) throws BackendException {
        Optional<LeptonGroup> group = group(options);
        return new LeptonPlan.Place(
                group.map(LeptonGroup::id), shape(spec, options, group), mounts(options, group), pullSecrets());
    }

    Optional<LeptonGroup> group(LeptonOptions options) throws BackendException {
        Optional<String> requested = LeptonPlan.requestedGroup(target, options);
        return requested.isEmpty()
                ? Optional.empty()
                : Optional.of(LeptonGroup.named(requested.get(), api.groups(), target.service()));
    }

    String shape(JobSpec spec, LeptonOptions options, Optional<LeptonGroup> group) throws BackendException {
        Optional<String> requested = LeptonPlan.requestedShape(target, options);
        if (requested.isPresent()) {
            return requested.get();
        }
        List<LeptonShape> shapes = api.shapes(group.map(LeptonGroup::id));
        return LeptonShape.forGpus(LeptonPlan.gpus(spec), shapes, target.service())
                .id();
    }

    /** What is asked for, else the group's best volume at the first path that the workspace permits. */
    List<LeptonMount> mounts(LeptonOptions options, Optional<LeptonGroup> group) throws BackendException {
        List<LeptonVolume> volumes = group.map(LeptonGroup::volumes).orElse(List.of());
        List<LeptonMount> requested = LeptonPlan.requestedMounts(target, options);
        if (!requested.isEmpty()) {
            return requested.stream().map(mount -> mount.typed(volumes)).toList();
        }
        List<LeptonMount> found = new ArrayList<>();
        Optional<LeptonMount> preferred = LeptonMount.preferred(volumes);
        if (preferred.isPresent() && group.isPresent()) {
            found.add(permitted(preferred.get(), group.get().id()));
        }
        return found;
    }

    private LeptonMount permitted(LeptonMount mount, String group) throws BackendException {
        List<LeptonPermission> permissions = permissions(mount, group);
        return LeptonPermission.allow(permissions, mount.path())
                ? mount
                : mount.at(permissions.get(0).prefix());
    }

    /** A node's own disk has none. */
    List<LeptonPermission> permissions(LeptonMount mount, String group) throws BackendException {
        return mount.from().equals("node-local")
                ? List.of()
                : LeptonPermission.read(api.permissions(mount.volume(), group));
    }

    List<String> pullSecrets() {
        return target.pullSecret()
                .or(() -> target.ngcKey().map(key -> LeptonName.pullSecret(key.reveal())))
                .map(List::of)
                .orElse(List.of());
    }
}

package io.jenkins.plugins.tao.backend.lepton.checks;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Discovery.Found;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonMount;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonVolume;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonGroup;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonPermission;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import lombok.RequiredArgsConstructor;

/** What a workspace offers to jobs: node groups, shapes, volumes and who may use which part of them. */
@RequiredArgsConstructor
public final class LeptonDiscovery {
    private static final String NODE_GROUP = "nodeGroup";
    private static final String RESOURCE_SHAPE = "resourceShape";
    private static final String MOUNTS = "mounts";

    private final LeptonApi api;
    private final List<Found> found = new ArrayList<>();

    public List<Found> all() throws BackendException {
        List<LeptonGroup> groups = api.groups();
        groups.forEach(this::group);
        shapes();
        for (LeptonGroup group : groups) {
            for (LeptonVolume volume : group.volumes()) {
                volume(group, volume);
                permissions(group, volume);
            }
        }
        return found;
    }

    /** What one field takes. */
    public List<Found> of(String field) throws BackendException {
        switch (field) {
            case NODE_GROUP -> api.groups().forEach(this::group);
            case RESOURCE_SHAPE -> shapes();
            case MOUNTS -> api.groups().forEach(group -> group.volumes().forEach(volume -> volume(group, volume)));
            default -> {} // nothing of the workspace goes there
        }
        return found;
    }

    private void shapes() throws BackendException {
        api.shapes(Optional.empty()).stream().filter(LeptonShape::forJobs).forEach(this::shape);
    }

    private void group(LeptonGroup group) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("id", group.id());
        facts.put("gpu", group.gpuProduct());
        facts.put("ready nodes", Integer.toString(group.readyNodes()));
        facts.put("priorities", group.quota() ? "yes" : "no");
        add("node group", NODE_GROUP, group.name(), facts);
    }

    private void shape(LeptonShape shape) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("gpus", number(shape.gpus()));
        facts.put("gpu", shape.accelerator());
        facts.put("gpu memory", gigabytes(shape.gpuMemoryMb()));
        facts.put("cpus", shape.cpus() == 0 ? "" : number(shape.cpus()));
        facts.put("memory", gigabytes(shape.memoryMb()));
        facts.put("node group", shape.nodeGroup());
        add("resource shape", RESOURCE_SHAPE, shape.id(), facts);
    }

    private void volume(LeptonGroup group, LeptonVolume volume) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("type", volume.type());
        facts.put("path", volume.fromPath());
        facts.put("node group", group.name());
        add(
                "volume",
                MOUNTS,
                LeptonMount.preferred(List.of(volume))
                        .map(mount -> volume.name() + "=" + mount.mountPath())
                        .orElse(volume.name()),
                facts);
    }

    private void permissions(LeptonGroup group, LeptonVolume volume) throws BackendException {
        if (!volume.type().equals("local")) {
            for (LeptonPermission permission : LeptonPermission.read(api.permissions(volume.name(), group.id()))) {
                Map<String, String> who = new LinkedHashMap<>();
                who.put("volume", volume.name());
                who.put("node group", group.name());
                who.put("members", permission.users().stream().collect(Collectors.joining(" ")));
                add("storage permission", "", permission.words(), who);
            }
        }
    }

    private void add(String kind, String field, String value, Map<String, String> facts) {
        facts.values().removeIf(String::isEmpty);
        found.add(new Found(kind, field, value, facts));
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static String gigabytes(long megabytes) {
        return megabytes == 0 ? "" : String.format(Locale.ROOT, "%d GB", megabytes / 1024);
    }
}

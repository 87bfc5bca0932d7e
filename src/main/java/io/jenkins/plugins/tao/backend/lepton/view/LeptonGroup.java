package io.jenkins.plugins.tao.backend.lepton.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A dedicated node group.
 *
 * @param quota whether jobs in it have priorities
 */
public record LeptonGroup(
        String id, String name, String gpuProduct, int readyNodes, boolean quota, List<LeptonVolume> volumes) {
    public static List<LeptonGroup> read(JsonNode list) {
        List<LeptonGroup> groups = new ArrayList<>();
        for (JsonNode node : list) {
            String id = node.path("metadata").path("id").asText("");
            if (!id.isEmpty()) {
                groups.add(new LeptonGroup(
                        id,
                        node.path("metadata").path("name").asText(id),
                        node.path("spec").path("gpu_product").asText(""),
                        node.path("status").path("ready_nodes").asInt(),
                        node.path("status").path("quota_enabled").asBoolean(),
                        LeptonVolume.read(node.path("spec").path("volumes"))));
            }
        }
        return groups;
    }

    /**
     * The group that a user calls {@code wanted}, by id or name.
     *
     * @throws Rejected with the names there are
     */
    public static LeptonGroup named(String wanted, List<LeptonGroup> groups, String service) throws Rejected {
        return groups.stream()
                .filter(group -> group.id().equals(wanted))
                .findFirst()
                .or(() -> groups.stream()
                        .filter(group -> group.name().equals(wanted))
                        .findFirst())
                .orElseThrow(() -> new Rejected(
                        service + " has no node group '" + wanted + "'.",
                        groups.isEmpty()
                                ? "The token sees no dedicated node group; leave nodeGroup out for the shared machines."
                                : "Use one of: "
                                        + groups.stream().map(LeptonGroup::name).collect(Collectors.joining(", "))
                                        + "."));
    }
}

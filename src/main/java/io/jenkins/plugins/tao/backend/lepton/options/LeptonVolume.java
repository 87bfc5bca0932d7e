package io.jenkins.plugins.tao.backend.lepton.options;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A volume of a node group.
 *
 * @param type Lepton's {@code from}: {@code local}, {@code nfs}, {@code remote}, …
 */
public record LeptonVolume(String name, String type, String fromPath, String defaultMountPath, long sizeInGb) {
    public static List<LeptonVolume> read(JsonNode list) {
        List<LeptonVolume> volumes = new ArrayList<>();
        for (JsonNode node : list) {
            String name = node.path("name").asText("");
            if (!name.isEmpty()) {
                volumes.add(new LeptonVolume(
                        name,
                        node.path("from").asText("nfs"),
                        node.path("from_path").asText(""),
                        node.path("default_mount_path").asText(""),
                        node.path("size_in_gb").asLong()));
            }
        }
        return volumes;
    }
}

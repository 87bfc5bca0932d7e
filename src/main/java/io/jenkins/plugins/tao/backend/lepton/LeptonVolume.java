package io.jenkins.plugins.tao.backend.lepton;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A volume of a node group.
 *
 * @param type Lepton's {@code from}: {@code local}, {@code nfs}, {@code remote}, …
 */
record LeptonVolume(String name, String type, String fromPath, String defaultMountPath, long sizeInGb) {
    static List<LeptonVolume> read(JsonNode list) {
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

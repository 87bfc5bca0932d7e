package io.jenkins.plugins.tao.backend.lepton.view;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Who may use a part of a volume.
 *
 * @param prefix a directory of the volume
 * @param byUser whether each member has only a directory of their own below it
 */
public record LeptonPermission(String prefix, List<String> users, boolean byUser) {
    public static List<LeptonPermission> read(JsonNode answer) {
        List<LeptonPermission> permissions = new ArrayList<>();
        for (JsonNode node : answer.isArray() ? answer : answer.path("permissions")) {
            List<String> users = new ArrayList<>();
            node.path("allowed_users").forEach(user -> users.add(user.asText()));
            String prefix = node.path("path_prefix").asText("").replaceAll("/+$", "");
            permissions.add(new LeptonPermission(
                    prefix, users, node.path("subfolder_policy").asText("").equals("by_user")));
        }
        return permissions;
    }

    /** Whether {@code path} may be mounted; without any permission every path may. */
    public static boolean allow(List<LeptonPermission> permissions, String path) {
        return permissions.isEmpty() || permissions.stream().anyMatch(each -> each.covers(path));
    }

    private boolean covers(String path) {
        return path.startsWith(prefix + "/") || (!byUser && (path.equals(prefix) || prefix.isEmpty()));
    }

    public String words() {
        return (prefix.isEmpty() ? "/" : prefix) + (byUser ? "/<user>" : "");
    }
}

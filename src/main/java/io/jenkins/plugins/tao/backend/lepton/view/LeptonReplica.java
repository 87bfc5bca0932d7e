package io.jenkins.plugins.tao.backend.lepton.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One worker of a job.
 *
 * @param worker its index, -1 if its id does not tell
 * @param reason why it is not ready, in Lepton's word; empty when it runs
 */
public record LeptonReplica(
        String id,
        int worker,
        String node,
        String nodeGroup,
        double cpus,
        long memoryMb,
        String reason,
        String message) {

    public static List<LeptonReplica> read(String jobId, JsonNode answer) throws Unreadable {
        List<LeptonReplica> replicas = new ArrayList<>();
        for (JsonNode node : LeptonList.of(answer, "replicas")) {
            JsonNode status = node.path("status");
            JsonNode issue = status.path("readiness_issue");
            String id = node.path("metadata").path("id").asText(node.path("id").asText(""));
            if (!id.isEmpty()) {
                replicas.add(new LeptonReplica(
                        id,
                        worker(jobId, id),
                        status.path("node").path("name").asText(""),
                        status.path("node").path("node_group_id").asText(""),
                        status.path("cpu").asDouble(),
                        status.path("memory_in_mb").asLong(),
                        issue.path("reason").asText(""),
                        issue.path("message").asText("")));
            }
        }
        return replicas;
    }

    /** A replica's id is the job's, its worker's index and five letters. */
    public static int worker(String jobId, String replicaId) {
        Matcher match =
                Pattern.compile(Pattern.quote(jobId) + "-(\\d{1,6})-[a-z0-9]+").matcher(replicaId);
        return match.matches() ? Integer.parseInt(match.group(1)) : -1;
    }

    public boolean ready() {
        return reason.isEmpty() || reason.equals("Ready");
    }

    /** What the readiness means, and what to do about it; empty for one that runs. */
    public String words() {
        String said = reason + (message.isEmpty() ? "" : ": " + message);
        String where = node.isEmpty() ? "" : " on " + node;
        String text = message.toLowerCase(Locale.ROOT);
        if (ready()) {
            return "";
        }
        if (imageFailed()) {
            return said + where + "; the image cannot be pulled: check its name and the NGC key (pull secret)";
        }
        return switch (reason) {
            case "InProgress" ->
                text.contains("pulling image")
                        ? said + where + " (normal for a large image; if it takes very long, check the NGC key)"
                        : said + where;
            case "ConfigError" ->
                said + where + "; the node or a mount is at fault: cancel and submit again, then another node group";
            case "NoCapacity", "Queueing", "WaitingForCapacity" -> said + "; no machine of this shape is free";
            default -> said + where;
        };
    }

    public boolean imageFailed() {
        String text = message.toLowerCase(Locale.ROOT);
        boolean failing =
                reason.equals("Failed") || reason.equals("ConfigError") || reason.equals("DeploymentConfigError");
        return text.contains("imagepullbackoff")
                || text.contains("errimagepull")
                || (failing && text.contains("image"))
                || (reason.equals("Failed") && text.isEmpty());
    }

    /** Whether another node may do better; a secret that is missing is missing everywhere. */
    public boolean nodeAtFault() {
        return !imageFailed()
                && !message.toLowerCase(Locale.ROOT).contains("secret")
                && (reason.equals("ConfigError") || reason.equals("NodeNotReady") || reason.equals("SystemError"));
    }

    public boolean preempted() {
        return reason.equals("Preempting") || message.toLowerCase(Locale.ROOT).contains("preempt");
    }
}

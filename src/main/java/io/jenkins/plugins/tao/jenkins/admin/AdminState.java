package io.jenkins.plugins.tao.jenkins.admin;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.jenkins.run.Orphan;
import io.jenkins.plugins.tao.jenkins.run.TargetSearch;
import io.jenkins.plugins.tao.jenkins.run.WatchedJobs.WatchedJob;
import io.jenkins.plugins.tao.nodes.AvoidedNodes;

/** The administrators' page as JSON; what is not known is absent. */
final class AdminState {
    private final ObjectNode root = new JsonMapper().createObjectNode();

    AdminState targets(Iterable<TargetRow> rows) {
        ArrayNode all = root.putArray("targets");
        for (TargetRow row : rows) {
            ObjectNode node = all.addObject()
                    .put("name", row.getName())
                    .put("configured", row.isConfigured())
                    .put("state", row.getState())
                    .put("connections", row.getConnections())
                    .put("jobs", row.getJobs())
                    .put("waiting", row.getWaiting());
            text(node, "lastAnswer", row.getLastAnswerAt());
            row.getMillis().ifPresent(millis -> node.put("latencyMillis", millis));
            text(node, "remark", row.getRemark());
        }
        return this;
    }

    AdminState jobs(Iterable<WatchedJob> jobs) {
        ArrayNode all = root.putArray("jobs");
        for (WatchedJob job : jobs) {
            all.addObject()
                    .put("id", job.getId())
                    .put("target", job.getTarget())
                    .put("build", job.getBuild())
                    .put("standing", job.getStanding());
        }
        return this;
    }

    AdminState avoided(AvoidedNodes.Look look) {
        ArrayNode all = root.putArray("avoidedNodes");
        for (AvoidedNodes.Entry node : look.nodes()) {
            all.addObject()
                    .put("target", node.target())
                    .put("node", node.node())
                    .put("failedAt", node.since().toString())
                    .put("avoidedUntil", node.until().toString())
                    .put("job", node.job())
                    .put("reason", node.why());
        }
        if (!look.gaps().isEmpty()) {
            look.gaps().forEach(root.putArray("avoidedNodesUnknown")::add);
        }
        return this;
    }

    AdminState orphans(Iterable<Orphan> orphans, Iterable<TargetSearch> searches) {
        ArrayNode all = root.putArray("orphans");
        for (Orphan orphan : orphans) {
            ObjectNode node = all.addObject()
                    .put("id", orphan.getId())
                    .put("target", orphan.getTarget())
                    .put("nativeId", orphan.getNativeId())
                    .put("state", orphan.getState())
                    .put("kind", orphan.getKind().name())
                    .put("ignored", orphan.isIgnored())
                    .put("token", orphan.getToken());
            text(node, "build", orphan.getBuild());
        }
        ArrayNode how = root.putArray("searches");
        for (TargetSearch search : searches) {
            ObjectNode node = how.addObject()
                    .put("target", search.getTarget())
                    .put("at", search.getAt().toString())
                    .put("complete", search.isComplete());
            text(node, "unknown", search.getUnknown());
        }
        return this;
    }

    private static void text(ObjectNode node, String name, String value) {
        if (!value.isEmpty()) {
            node.put(name, value);
        }
    }

    @Override
    public String toString() {
        return root.toString();
    }
}

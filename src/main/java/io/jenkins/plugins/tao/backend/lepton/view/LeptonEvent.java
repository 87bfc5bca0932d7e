package io.jenkins.plugins.tao.backend.lepton.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Something that happened to a job's machinery. */
public record LeptonEvent(String type, String reason, String message, String regarding, int count, String at) {
    public static List<LeptonEvent> read(JsonNode answer) throws Unreadable {
        List<LeptonEvent> events = new ArrayList<>();
        for (JsonNode node : LeptonList.of(answer, "events")) {
            events.add(new LeptonEvent(
                    node.path("type").asText(""),
                    node.path("reason").asText(""),
                    node.path("message").asText(node.path("note").asText("")),
                    node.path("regarding").path("name").asText(""),
                    node.path("count").asInt(1),
                    node.path("last_observed_time").asText("")));
        }
        return events;
    }

    public boolean outOfMemory() {
        return reason.equals("OOM")
                || reason.equals("OOMKilled")
                || reason.equals("OOMKilling")
                || message.contains("OOM encountered");
    }

    public boolean evicted() {
        return reason.equals("Evicted")
                || reason.equals("Preempted")
                || reason.equals("Preempting")
                || reason.equals("TaintManagerEviction");
    }

    public boolean imageFailed() {
        return reason.equals("ErrImagePull")
                || reason.equals("ImagePullBackOff")
                || ((reason.equals("Failed") || reason.equals("BackOff"))
                        && message.toLowerCase(Locale.ROOT).contains("image"));
    }

    public boolean nodeSick() {
        return reason.equals("NodeNotReady")
                || reason.equals("NodeHasDiskPressure")
                || reason.equals("FailedMount")
                || reason.startsWith("GPU")
                || reason.contains("Xid");
    }

    public String words() {
        return reason
                + (message.isEmpty() ? "" : ": " + message)
                + (regarding.isEmpty() ? "" : " (" + regarding + ")")
                + (count > 1 ? " ×" + count : "");
    }
}

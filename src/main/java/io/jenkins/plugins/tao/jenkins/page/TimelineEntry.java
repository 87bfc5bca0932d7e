package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import lombok.Getter;

/** One line of a job's timeline. Never changed. */
@Getter
public final class TimelineEntry {
    private static final int MOST_TEXT = 600;
    private static final int SECONDS = "2026-01-31T12:00:00".length();

    /** As in {@code 2026-01-31T12:00:00.123Z}. */
    private final String at;

    private final String text;

    /** How it does from then on, {@code waiting}, {@code running}, {@code ended}, or waiting as another {@code attempt}; empty for as before. */
    private final String phase;

    private TimelineEntry(String at, String text, String phase) {
        this.at = at;
        this.phase = phase;
        this.text = text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "…";
    }

    /** The lines of some events. */
    static List<TimelineEntry> of(List<JsonNode> events) {
        List<TimelineEntry> entries = new ArrayList<>();
        for (JsonNode event : events) {
            String text = words(event);
            if (!text.isBlank()) {
                entries.add(new TimelineEntry(event.path("at").asText(), text, phase(event)));
            }
        }
        return entries;
    }

    private static String words(JsonNode event) {
        return switch (event.path("event").asText()) {
            case "submitted" -> "submitted as " + event.path("nativeId").asText();
            case "state" -> state(event);
            case "attempt" ->
                "attempt " + (event.path("number").asInt() - 1) + " ended: "
                        + event.path("detail").asText() + "; attempt "
                        + event.path("number").asInt() + " submitted";
            case "unreachable" -> "no answer: " + event.path("what").asText();
            case "reachable" ->
                "the target answers again after " + event.path("seconds").asText() + " s";
            case "refused" -> "not cancelled: " + event.path("what").asText();
            case "notice" -> event.path("text").asText();
            case "ended" ->
                ("ended: " + event.path("outcome").asText() + " "
                                + event.path("detail").asText())
                        .strip();
            case "diagnosis" ->
                event.path("summary").asText() + " " + event.path("remedy").asText();
            default -> "";
        };
    }

    private static String phase(JsonNode event) {
        String name = event.path("event").asText();
        return switch (name.equals("state") ? event.path("state").asText() : name) {
            case "submitted", "PENDING" -> "waiting";
            case "RUNNING" -> "running";
            case "ENDED", "ended" -> "ended";
            case "attempt" -> "attempt";
            default -> "";
        };
    }

    private static String state(JsonNode event) {
        List<String> nodes = new ArrayList<>();
        event.path("nodes").forEach(node -> nodes.add(node.asText()));
        String word = event.path("nativeState").asText();
        return (word.isEmpty() ? event.path("state").asText() : word)
                + (nodes.isEmpty() ? "" : " on " + String.join(", ", nodes))
                + (event.path("reason").asText().isBlank()
                        ? ""
                        : " (" + event.path("reason").asText() + ")");
    }

    /** {@code 2026-01-31 12:00:00 UTC}. */
    public String getMoment() {
        return at.length() < SECONDS ? at : at.substring(0, SECONDS).replace('T', ' ') + " UTC";
    }
}

package io.jenkins.plugins.tao.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.jenkins.plugins.tao.job.Secret;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service's own words about a refusal, out of whatever body it sent. */
final class ServiceMessage {
    private static final int LONGEST = 500;
    private static final int SHORTEST_SECRET = 4;
    private static final Pattern XML = Pattern.compile("<Message>([^<]*)</Message>");
    private static final Pattern XML_CODE = Pattern.compile("<Code>([^<]*)</Code>");
    private static final Pattern TITLE = Pattern.compile("(?is)<title>\\s*(.*?)\\s*</title>");
    private static final List<String> FIELDS =
            List.of("message", "error_description", "errorMessage", "detail", "error");

    private ServiceMessage() {}

    /** One line; empty when the body has no words. */
    static String in(String body) {
        String text = Json.parse(body).map(ServiceMessage::inJson).orElseGet(() -> inText(body));
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    }

    /** {@code text} with every one of {@code secrets} masked, as it is and as JSON writes it. */
    static String masked(String text, Iterable<Secret> secrets) {
        String masked = text;
        for (Secret secret : secrets) {
            if (secret.reveal().length() >= SHORTEST_SECRET) {
                String json = TextNode.valueOf(secret.reveal()).toString();
                masked = masked.replace(secret.reveal(), "***").replace(json.substring(1, json.length() - 1), "***");
            }
        }
        return masked;
    }

    private static String inJson(JsonNode node) {
        if (node.isArray() && !node.isEmpty()) {
            return inJson(node.get(0));
        }
        for (String field : FIELDS) {
            JsonNode value = node.path(field);
            if (value.isTextual() && !value.textValue().isBlank()) {
                return value.textValue();
            }
            if (value.isContainerNode() && !value.isEmpty()) {
                return inJson(value);
            }
        }
        return node.path("errors").isArray() ? inJson(node.path("errors")) : node.toString();
    }

    private static String inText(String body) {
        Matcher message = XML.matcher(body);
        if (message.find()) {
            Matcher code = XML_CODE.matcher(body);
            return (code.find() ? code.group(1) + ": " : "") + message.group(1);
        }
        Matcher title = TITLE.matcher(body);
        return title.find() ? title.group(1) : body.startsWith("<") ? "" : body;
    }
}

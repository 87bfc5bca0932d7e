package io.jenkins.plugins.tao.remote.host;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Several scripts sent as one: each runs in a shell of its own, and none keeps those after it from running; pure. */
public final class JointScript {
    private static final Pattern END = Pattern.compile("(?m)^tao-part (\\d+)\\n");
    private static final int SHOWN = 200;

    private JointScript() {}

    /**
     * What one of the scripts answered.
     *
     * @param ok whether its exit code is 0
     * @param said its standard output and standard error
     */
    public record Part(boolean ok, String said) {}

    /** The one script. */
    public static String render(List<String> scripts) {
        StringBuilder text = new StringBuilder();
        for (String script : scripts) {
            text.append("(\n").append(script).append("\n) 2>&1\nprintf '\\ntao-part %s\\n' \"$?\"\n");
        }
        return text.toString();
    }

    /**
     * Reads what it answered.
     *
     * @param target whom to name in an error
     * @return one part for each of {@code scripts}, in their order
     * @throws Unreadable if there is an answer of another number of scripts: it was cut off
     */
    public static List<Part> read(String target, int scripts, Reply reply) throws Unreadable {
        List<Part> parts = new ArrayList<>();
        String text = reply.text();
        Matcher end = END.matcher(text);
        int from = 0;
        while (end.find()) {
            parts.add(new Part(end.group(1).equals("0"), text.substring(from, end.start())));
            from = end.end();
        }
        if (parts.size() != scripts) {
            String said = text.substring(from) + reply.err();
            throw new Unreadable(
                    target + " answered " + parts.size() + " of " + scripts + " scripts",
                    said.substring(0, Math.min(SHOWN, said.length())),
                    "They are sent again.");
        }
        return parts;
    }
}

package io.jenkins.plugins.tao.remote;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Several scripts in one, each in a subshell of its own, and its answer cut into theirs. */
final class ScriptGroup {
    private final List<String> scripts;

    /** Stands on both outputs after each script; no script knows it, for it is made of all of them. */
    private final String mark;

    ScriptGroup(List<String> scripts) {
        this.scripts = List.copyOf(scripts);
        this.mark = "--- tao-run "
                + UUID.nameUUIDFromBytes(String.join("\n", scripts).getBytes(StandardCharsets.UTF_8)) + " ends with ";
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (String script : scripts) {
            text.append("(:\n").append(script).append("\n)\n");
            text.append("set -- $?; echo '")
                    .append(mark)
                    .append("'$1; echo '")
                    .append(mark)
                    .append("'$1 >&2\n");
        }
        return text.toString();
    }

    /**
     * The replies in the order of the scripts. Where standard error was long, the first ones may lack theirs.
     *
     * @throws Unreadable if a script ended all of them
     */
    List<Reply> split(Reply whole) throws Unreadable {
        List<Part> outs = parts(new String(whole.out(), StandardCharsets.ISO_8859_1));
        List<Part> errs = parts(whole.err());
        if (outs.size() != scripts.size()) {
            throw new Unreadable(
                    "An answer to " + scripts.size() + " requests at once breaks off after " + outs.size(),
                    whole.err(),
                    "They are asked again.");
        }
        int lost = outs.size() - errs.size();
        List<Reply> replies = new ArrayList<>();
        for (int i = 0; i < outs.size(); i++) {
            byte[] out = outs.get(i).text().getBytes(StandardCharsets.ISO_8859_1);
            String err = i < lost ? "" : errs.get(i - lost).text();
            replies.add(new Reply(outs.get(i).exitCode(), out, err));
        }
        return replies;
    }

    private List<Part> parts(String text) {
        List<Part> parts = new ArrayList<>();
        int start = 0;
        for (int at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, start)) {
            int end = text.indexOf('\n', at);
            parts.add(new Part(text.substring(start, at), Integer.parseInt(text.substring(at + mark.length(), end))));
            start = end + 1;
        }
        return parts;
    }

    /** What one script said, and its exit code. */
    private record Part(String text, int exitCode) {}
}

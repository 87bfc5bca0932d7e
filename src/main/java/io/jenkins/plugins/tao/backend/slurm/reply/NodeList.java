package io.jenkins.plugins.tao.backend.slurm.reply;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads node lists in Slurm's short form: {@code gpu[01-03,07],login1}. */
public final class NodeList {
    private static final Pattern PART = Pattern.compile("([^\\[\\],]++)(?:\\[([^\\]]*+)\\])?([^\\[\\],]*+)");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})");
    private static final int MOST = 10_000;

    private NodeList() {}

    /** The names, at most 10,000; empty for {@code (null)}, {@code None assigned} and the like. */
    public static List<String> parse(String text) {
        List<String> names = new ArrayList<>();
        if (text.isBlank() || text.startsWith("(") || text.startsWith("None") || text.equals("N/A")) {
            return names;
        }
        Matcher part = PART.matcher(text);
        while (part.find() && names.size() < MOST) {
            String inside = part.group(2);
            if (inside == null) {
                names.add(part.group(1));
            } else {
                expand(part.group(1), inside, part.group(3), names);
            }
        }
        return names;
    }

    private static void expand(String head, String inside, String tail, List<String> names) {
        for (String piece : inside.split(",", -1)) {
            Matcher range = RANGE.matcher(piece);
            if (!range.matches()) {
                names.add(head + piece + tail);
                continue;
            }
            int width = range.group(1).length();
            int last = Integer.parseInt(range.group(2));
            for (int n = Integer.parseInt(range.group(1)); n <= last && names.size() < MOST; n++) {
                names.add(head + String.format(Locale.ROOT, "%0" + width + "d", n) + tail);
            }
        }
    }
}

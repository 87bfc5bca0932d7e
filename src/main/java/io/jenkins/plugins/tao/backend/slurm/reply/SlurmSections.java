package io.jenkins.plugins.tao.backend.slurm.reply;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An answer of ours in parts, each begun by a line {@code tao-NAME EXITCODE}. */
public record SlurmSections(Map<String, Section> parts) {
    private static final Pattern MARK = Pattern.compile("tao-([a-z]+) (\\d{1,3})");

    /** The lines of one part and the exit code of what wrote them. */
    public record Section(int exitCode, List<String> lines) {
        public boolean ok() {
            return exitCode == 0;
        }

        /** All lines as one text, for messages and searches. */
        public String text() {
            return String.join("\n", lines).strip();
        }
    }

    /** Reads an answer; a part that comes twice, such as one for each base directory, is one. */
    public static SlurmSections parse(String reply) {
        Map<String, Section> parts = new LinkedHashMap<>();
        Optional<List<String>> lines = Optional.empty();
        for (String line : reply.split("\n", -1)) {
            Matcher mark = MARK.matcher(line);
            if (mark.matches()) {
                int code = Integer.parseInt(mark.group(2));
                lines = Optional.of(parts.computeIfAbsent(mark.group(1), name -> new Section(code, new ArrayList<>()))
                        .lines());
            } else if (!line.isBlank()) {
                lines.ifPresent(part -> part.add(line));
            }
        }
        return new SlurmSections(parts);
    }

    public Optional<Section> part(String name) {
        return Optional.ofNullable(parts.get(name));
    }

    /** The lines of a part, none when it is missing or its command failed. */
    public List<String> linesOf(String name) {
        return part(name).filter(Section::ok).map(Section::lines).orElse(List.of());
    }

    /** Whether the script came to its end. */
    public boolean complete() {
        return parts.containsKey("end");
    }
}

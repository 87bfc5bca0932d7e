package io.jenkins.plugins.tao.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The comments of the sources: what a type is, and what its components are. */
final class SourceDocs {
    private static final Pattern COMMENT = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern CODE = Pattern.compile("\\{@(?:code|link)\\s+#?([^}]*)\\}|<code>(.*?)</code>");

    private final Path sources;
    private final Map<Class<?>, String> comments = new HashMap<>();

    SourceDocs(Path sources) {
        this.sources = sources;
    }

    /** What {@code type} is, in its comment's words before the first tag. */
    String about(Class<?> type) {
        return text(comment(type).split("\n@", 2)[0]);
    }

    /** What the comment says of one component; empty without a word of it. */
    Optional<String> about(Class<?> record, String component) {
        for (String tag : comment(record).split("\n@", -1)) {
            if (tag.matches("(?s)param " + Pattern.quote(component) + "\\s.*")) {
                return Optional.of(text(tag.substring("param ".length() + component.length())));
            }
        }
        return Optional.empty();
    }

    private String comment(Class<?> type) {
        return comments.computeIfAbsent(type, this::read);
    }

    /** The last comment before the declaration, line by line without its stars. */
    private String read(Class<?> type) {
        Path file = sources.resolve(type.getName().replaceAll("\\$.*", "").replace('.', '/') + ".java");
        try {
            String source = Files.readString(file);
            Matcher declaration = Pattern.compile(
                            "(?:record|class|enum) " + type.getSimpleName() + "\\b(?=[^\\n]*[({])")
                    .matcher(source);
            String before = declaration.find() ? source.substring(0, declaration.start()) : "";
            String last = "";
            for (Matcher comment = COMMENT.matcher(before); comment.find(); ) {
                last = comment.group(1);
            }
            return last.replaceAll("\\n[ ]*\\* ?", "\n").strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(String comment) {
        String line = comment.strip().replaceAll("\\s+", " ");
        return CODE.matcher(line)
                .replaceAll(code ->
                        Matcher.quoteReplacement("`" + (code.group(1) == null ? code.group(2) : code.group(1)) + "`"));
    }
}

package io.jenkins.plugins.tao.jenkins.config;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names of folders, in which {@code *} stands for any text within one name. A folder stands for all that is in it; pure. */
final class FolderPatterns {
    private final List<Pattern> patterns;

    private FolderPatterns(List<Pattern> patterns) {
        this.patterns = patterns;
    }

    /** Reads {@code teams/vision, research/*}: names separated by commas or line ends. */
    static FolderPatterns parse(@Nullable String text) {
        return new FolderPatterns(
                FormText.list(text).stream().map(FolderPatterns::pattern).toList());
    }

    private static Pattern pattern(String name) {
        String regex =
                Arrays.stream(strip(name).split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining("[^/]*"));
        return Pattern.compile(regex + "(/.*)?", Pattern.DOTALL);
    }

    private static String strip(String name) {
        return name.replaceAll("^/+|/+$", "");
    }

    /** Whether the item of this full name is one of them or in one of them; every item is where there is no pattern. */
    boolean hold(String fullName) {
        return patterns.isEmpty()
                || patterns.stream()
                        .anyMatch(pattern -> pattern.matcher(fullName).matches());
    }
}

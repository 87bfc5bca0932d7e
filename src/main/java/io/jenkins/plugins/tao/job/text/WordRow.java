package io.jenkins.plugins.tao.job.text;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A row of a table that lies beside the class that needs it: {@code KIND SIGN => WORDS}. Lines that begin with {@code #} are comments.
 *
 * @param kind one word that says what the row is about
 * @param sign what others write, as a regular expression
 * @param words what it means, for users
 */
public record WordRow(String kind, Pattern sign, String words) {
    /** The rows of the file {@code name} in the package of {@code beside}, in their order. */
    public static List<WordRow> read(Class<?> beside, String name) {
        return OwnFile.text(beside, name)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split(" => ", 2))
                .map(parts -> {
                    int blank = parts[0].indexOf(' ');
                    return new WordRow(
                            parts[0].substring(0, blank), Pattern.compile(parts[0].substring(blank + 1)), parts[1]);
                })
                .toList();
    }

    /** Whether its sign stands in {@code text}. */
    public boolean isIn(String text) {
        return sign.matcher(text).find();
    }
}

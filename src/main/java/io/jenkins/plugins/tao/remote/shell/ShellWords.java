package io.jenkins.plugins.tao.remote.shell;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Names of files as the arguments of shell text, in portions that a process takes. */
public final class ShellWords {
    /** A quarter of what Linux lets a process have by default. */
    private static final int LONGEST = 512 * 1024;

    private ShellWords() {}

    /** {@code set -- ./NAME …}: each portion has as many names as fit. */
    public static List<Portion> portions(Collection<String> names) {
        List<Portion> portions = new ArrayList<>();
        StringBuilder words = new StringBuilder("set --");
        List<String> held = new ArrayList<>();
        for (String name : names) {
            words.append(' ').append(quote("./" + name));
            held.add(name);
            if (words.length() >= LONGEST) {
                portions.add(new Portion(words.append('\n').toString(), List.copyOf(held)));
                words = new StringBuilder("set --");
                held.clear();
            }
        }
        if (!held.isEmpty()) {
            portions.add(new Portion(words.append('\n').toString(), List.copyOf(held)));
        }
        return portions;
    }

    /**
     * Some of the names.
     *
     * @param script sets them as arguments
     */
    public record Portion(String script, List<String> names) {}
}

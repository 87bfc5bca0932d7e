package io.jenkins.plugins.tao.remote.shell;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.regex.Pattern;

/**
 * One simple command of shell text, made of words: whatever a word holds, the shell reads it as that one word.
 *
 * @see <a href="https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html">POSIX shell, 2.2 Quoting</a>
 */
public final class ShellCommand {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+:,./-]+");

    private final StringBuilder text = new StringBuilder();

    private ShellCommand() {}

    /** Starts with these words. */
    public static ShellCommand of(String program, String... words) {
        ShellCommand command = new ShellCommand();
        command.text.append(quote(program));
        for (String word : words) {
            command.word(word);
        }
        return command;
    }

    /** Adds one word. */
    public ShellCommand word(String word) {
        text.append(' ').append(quote(word));
        return this;
    }

    /** Adds {@code --name=value} as one word. */
    public ShellCommand option(String name, String value) {
        text.append(" --").append(checked(name)).append('=').append(quote(value));
        return this;
    }

    /** Adds {@code --name}. */
    public ShellCommand flag(String name) {
        text.append(" --").append(checked(name));
        return this;
    }

    /** The text, on one line unless a word has several. */
    public String render() {
        return text.toString();
    }

    /**
     * The shell text that is read as {@code word} and nothing else.
     *
     * @throws IllegalArgumentException if it holds a NUL character, which no shell can carry
     */
    public static String quote(String word) {
        require(word.indexOf('\0') < 0, "a word of a shell command must not hold a NUL character");
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static String checked(String name) {
        require(name.matches("[A-Za-z0-9][A-Za-z0-9_-]*"), "'%s' is not a name of an option", name);
        return name;
    }

    @Override
    public String toString() {
        return render();
    }
}

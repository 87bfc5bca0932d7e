package io.jenkins.plugins.tao.bind;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of a command from a map: each value is one word of a shell, whatever is in it. */
public final class CommandOptions {
    private static final String PLACE = "{args}";
    private static final Pattern NAME = Pattern.compile("-{0,2}[A-Za-z0-9][A-Za-z0-9_.-]*");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");
    /** What more than one command in a text needs. */
    private static final Pattern SEVERAL = Pattern.compile("[\\n;&|<>()#`]");
    /** Filled in later, as one word of a shell each; so they stand outside of quotes. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(?:config_path|results_dir|job_id|num_gpus)}");

    private CommandOptions() {}

    /**
     * {@code command} with options in place of its {@code {args}}, or behind it where it names none. A letter becomes {@code -x VALUE}, a
     * longer name {@code --name=VALUE}; true a flag; false and nothing leave the option out; a list gives one option several words.
     *
     * @throws IllegalArgumentException if a name is no name of an option, a value is a map, or it is not clear where the options belong
     */
    public static String added(String command, Map<String, ?> args) {
        if (args.isEmpty()) {
            return command;
        }
        String words = args.entrySet().stream()
                .map(option -> option(option.getKey(), option.getValue()))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" "));
        if (command.contains(PLACE)) {
            return command.replace(PLACE, words).strip();
        }
        require(
                !SEVERAL.matcher(command.strip()).find(),
                "the command is more than one program with its words; write {args} where its options belong");
        return (command.strip() + " " + words).strip();
    }

    private static String option(String name, @Nullable Object value) {
        require(NAME.matcher(name).matches(), "args: '%s' is no name of an option", name);
        require(!(value instanceof Map), "args: '%s' holds a map; an option takes a value or a list", name);
        if (value == null || Boolean.FALSE.equals(value)) {
            return "";
        }
        String option = name.startsWith("-") ? name : (name.length() == 1 ? "-" : "--") + name;
        if (Boolean.TRUE.equals(value)) {
            return option;
        }
        if (value instanceof List<?> list) {
            require(!list.isEmpty(), "args: '%s' is an empty list; leave the option out", name);
            return option + " " + list.stream().map(each -> word(name, each)).collect(Collectors.joining(" "));
        }
        return option + (option.startsWith("--") ? "=" : " ") + word(name, value);
    }

    private static String word(String name, @Nullable Object value) {
        require(
                value != null && !(value instanceof Map || value instanceof List),
                "args: the list of '%s' holds something that is no single value",
                name);
        String text = String.valueOf(value);
        require(text.indexOf('\0') < 0, "args: the value of '%s' holds a NUL character", name);
        StringBuilder word = new StringBuilder();
        Matcher found = PLACEHOLDER.matcher(text);
        int from = 0;
        while (found.find()) {
            word.append(quoted(text.substring(from, found.start()))).append(found.group());
            from = found.end();
        }
        word.append(quoted(text.substring(from)));
        return word.isEmpty() ? "''" : word.toString();
    }

    private static String quoted(String text) {
        return text.isEmpty() || PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}

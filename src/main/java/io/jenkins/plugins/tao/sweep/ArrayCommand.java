package io.jenkins.plugins.tao.sweep;

import static io.jenkins.plugins.tao.job.Require.require;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The command of a job whose members are the cells of a sweep: it gives each member the values of its cell, and then does what each cell would do.
 * Values of the environment are exported; those of the spec take the places of {@link #token}s in the member's own file. Pure.
 *
 * @param indexVariable the variable in which a member finds its index
 */
public record ArrayCommand(String indexVariable) {
    private static final String QUOTE = "[\"'\\'']\\{0,1\\}";

    private static final String ENV = "env.";
    private static final JsonMapper JSON = new JsonMapper();

    /**
     * What one member gets.
     *
     * @param env variables with their values
     * @param spec values by the tokens that stand for them, as JSON has them: they are YAML and TOML too
     */
    public record Member(Map<String, String> env, Map<String, String> spec) {
        public Member {
            env = new LinkedHashMap<>(env);
            spec = new LinkedHashMap<>(spec);
            spec.values()
                    .forEach(value -> require(
                            !value.contains("\n") && !value.contains("\0"),
                            "a value of an array's spec must be one line, was '%s'",
                            value));
        }
    }

    /**
     * What the member that is {@code cell} gets.
     *
     * @param values gives the value of the spec at a path, as the spec of that cell alone would have it
     * @throws IllegalArgumentException if a value has no text, or several lines
     */
    public static Member member(Cell cell, Function<String, @Nullable Object> values) {
        Map<String, String> env = new LinkedHashMap<>();
        Map<String, String> spec = new LinkedHashMap<>();
        int number = 0;
        for (Map.Entry<String, String> value : cell.values().entrySet()) {
            if (isEnv(value.getKey())) {
                env.put(value.getKey().substring(ENV.length()), value.getValue());
            } else {
                spec.put(token(number), literal(value.getKey(), values.apply(value.getKey())));
            }
            number++;
        }
        return new Member(env, spec);
    }

    private static String literal(String axis, @Nullable Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "the value of the axis '" + axis + "' cannot be written: " + e.getMessage(), e);
        }
    }

    /** What stands in the spec of the job for each axis that is a path of the spec. */
    public static Map<String, String> tokens(Cell any) {
        Map<String, String> tokens = new LinkedHashMap<>();
        int number = 0;
        for (String axis : any.values().keySet()) {
            if (!isEnv(axis)) {
                tokens.put(axis, token(number));
            }
            number++;
        }
        return tokens;
    }

    private static boolean isEnv(String axis) {
        return axis.startsWith(ENV);
    }

    /** Why a sweep cannot be carried by one job; empty if it can. */
    public static Optional<String> whyNot(Cell any, boolean judgesCells) {
        if (judgesCells) {
            return Optional.of("'endEarly' and 'groupGates' need cells that are jobs of their own");
        }
        return any.values().keySet().stream().anyMatch(axis -> axis.startsWith("args."))
                ? Optional.of("an axis of 'args' changes the command itself")
                : Optional.empty();
    }

    /** What stands in the spec for the value of axis {@code number}. */
    public static String token(int number) {
        return "tao-axis-" + number + "-";
    }

    /** The whole command. */
    public String render(List<Member> members, String command) {
        StringBuilder text = new StringBuilder("case \"$" + indexVariable + "\" in\n");
        for (int index = 0; index < members.size(); index++) {
            text.append(index).append(")\n").append(values(members.get(index))).append(";;\n");
        }
        text.append("*) echo \"the sweep has no cell $").append(indexVariable).append("\" >&2; exit 64;;\nesac\n");
        if (members.stream().anyMatch(member -> !member.spec().isEmpty())) {
            text.append("tao_config={config_path}\n")
                    .append("sed \"$tao_cell\" \"$tao_config\" >\"$tao_config.$(hostname).$$\"")
                    .append(" && mv \"$tao_config.$(hostname).$$\" \"$tao_config\" || exit 74\n");
        }
        return text.append(command).toString();
    }

    private static String values(Member member) {
        StringBuilder text = new StringBuilder();
        member.env()
                .forEach((name, value) -> text.append("export ")
                        .append(name)
                        .append('=')
                        .append(quoted(value))
                        .append('\n'));
        if (!member.spec().isEmpty()) {
            String edits = member.spec().entrySet().stream()
                    .map(edit -> "s|" + QUOTE + edit.getKey() + QUOTE + "|"
                            + quotedBody(edit.getValue().replaceAll("[\\\\&|]", "\\\\$0")) + "|g")
                    .collect(Collectors.joining(";"));
            text.append("tao_cell='").append(edits).append("'\n");
        }
        return text.toString();
    }

    private static String quoted(String value) {
        return "'" + quotedBody(value) + "'";
    }

    private static String quotedBody(String value) {
        return value.replace("'", "'\\''");
    }
}

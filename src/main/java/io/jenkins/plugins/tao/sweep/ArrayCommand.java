package io.jenkins.plugins.tao.sweep;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The command of a job whose members are the cells of a sweep: it gives each member the values of its cell, and then does what each cell would do.
 * Values of the environment are exported; those of the spec take the places of {@link #token}s in the member's own file. Pure.
 */
public final class ArrayCommand {
    private static final String QUOTE = "[\"'\\'']\\{0,1\\}";

    private final String indexVariable;

    /** For members that find their index in this variable. */
    public ArrayCommand(String indexVariable) {
        this.indexVariable = indexVariable;
    }

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

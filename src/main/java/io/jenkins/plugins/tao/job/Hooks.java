package io.jenkins.plugins.tao.job;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.Optional;

/**
 * What runs around the command on each node, in the same place and with the same variables.
 *
 * @param pre runs first; unless it ends with 0 the command is not started, and the job ends with its exit code
 * @param post runs after the command, however that ended, with its exit code in {@code TAO_EXIT_CODE}; its own is told and
 *     changes nothing
 */
public record Hooks(Optional<String> pre, Optional<String> post) {
    /** Nothing. */
    public static final Hooks NONE = new Hooks(Optional.empty(), Optional.empty());

    public Hooks {
        pre = pre.filter(text -> !text.isBlank());
        post = post.filter(text -> !text.isBlank());
        pre.ifPresent(text -> require(text.indexOf('\0') < 0, "pre must not hold a NUL character"));
        post.ifPresent(text -> require(text.indexOf('\0') < 0, "post must not hold a NUL character"));
    }

    /** Whether there is nothing around the command. */
    public boolean isEmpty() {
        return pre.isEmpty() && post.isEmpty();
    }

    /**
     * The whole as one text of POSIX sh. Each part is a shell of its own, so that its exit ends it alone. A signal reaches all
     * processes of the job: this shell outlives it, so that what follows the command runs within the time that is left.
     */
    public String around(String command) {
        if (isEmpty()) {
            return command;
        }
        StringBuilder text = new StringBuilder("trap : TERM INT HUP USR1 USR2\n");
        pre.ifPresent(first -> text.append("(\n")
                .append(first)
                .append(
                        "\n)\ntao_hook=$?\nif [ \"$tao_hook\" != 0 ]; then\n  echo \"tao: the pre command failed with exit code"
                                + " $tao_hook; the command was not started\" >&2\n  exit \"$tao_hook\"\nfi\n"));
        text.append("(\n").append(command).append("\n)\nTAO_EXIT_CODE=$?\n");
        post.ifPresent(last -> text.append("export TAO_EXIT_CODE\n(\n")
                .append(last)
                .append(
                        "\n)\ntao_hook=$?\nif [ \"$tao_hook\" != 0 ]; then\n  echo \"tao: the post command failed with exit code"
                                + " $tao_hook; the command had ended with $TAO_EXIT_CODE\" >&2\nfi\n"));
        return text.append("exit \"$TAO_EXIT_CODE\"\n").toString();
    }
}

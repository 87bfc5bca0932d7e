package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.spec.Addresses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the command of a job fetches itself from NVIDIA's registry, where its machines keep inputs for many jobs and no container is made
 * around it. The key is the job's own variable, and in none of these texts. Pure.
 */
public final class CommandInputs {
    private static final String RUNNER = Stream.of("s3.py", "inputs.py", "models.py", "ngc.py", "main.py")
            .map(name -> OwnFile.text(CommandInputs.class, name))
            .collect(Collectors.joining());

    private final List<NgcArtifact> artifacts;
    private final String root;

    private CommandInputs(List<NgcArtifact> artifacts, String root) {
        this.artifacts = artifacts;
        this.root = root;
    }

    /** Whether {@code input} is one that these fetch. */
    public static boolean isMeant(String input) {
        return input.startsWith(NgcArtifact.SCHEME);
    }

    /**
     * Those of {@code inputs} that are of the registry, below {@code root}, which the command sees and may write to.
     *
     * @throws IllegalArgumentException if one is no address of it
     */
    public static CommandInputs of(List<String> inputs, String root) {
        return new CommandInputs(
                inputs.stream()
                        .filter(CommandInputs::isMeant)
                        .map(input -> NgcArtifact.parse(input).below(root))
                        .toList(),
                root);
    }

    /** Puts the paths where they lie in place of the addresses in {@code text}. */
    public String rewrite(String text) {
        Addresses addresses = Addresses.NONE;
        for (NgcArtifact artifact : artifacts) {
            addresses = addresses.with(artifact.pattern(), 0, artifact.local());
        }
        return addresses.rewrite(text);
    }

    /** Shell text before the command, which does not start while one of them is not whole; empty for none. */
    public String before() {
        if (artifacts.isEmpty()) {
            return "";
        }
        Map<String, Object> plan = new LinkedHashMap<>();
        plan.put("cache", root + "/.tao-etags");
        plan.put("shared", true);
        plan.put("files", List.of());
        plan.put("models", List.of());
        plan.put("artifacts", artifacts);
        return "if ! command -v python3 >/dev/null 2>&1; then\n"
                + "  echo 'tao: ERROR: there is no python3 here, which fetches ngc:// inputs: add it, or put the files there"
                + " beforehand' >&2\n  exit 69\nfi\n"
                + "python3 -c " + quote(RUNNER) + " download " + quote(Json.write(plan)) + " </dev/null || {\n"
                + "  echo 'tao: ERROR: the inputs are not complete; the command was not started' >&2\n  exit 66\n}\n";
    }
}

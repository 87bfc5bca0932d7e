package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/**
 * What the command of a job fetches itself, where its machines keep inputs for many jobs and no container is made around it: from S3, Hugging
 * Face and NVIDIA's registry. Keys are the job's own variables, and in none of these texts. Pure.
 */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
public final class CommandInputs {
    private static final String RUNNER = Stream.of("s3.py", "roles.py", "inputs.py", "models.py", "ngc.py", "main.py")
            .map(name -> OwnFile.text(CommandInputs.class, name))
            .collect(Collectors.joining());

    private final Transfers fetched =
            new Transfers(List.of(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), List.of());
    private final JobSpec spec;
    private final String root;

    /** Whether {@code input} is one that these fetch. */
    public static boolean isMeant(String input) {
        return S3Address.isMeant(input) || input.startsWith(HubModel.SCHEME) || input.startsWith(NgcArtifact.SCHEME);
    }

    /**
     * Those of {@code inputs} that are such addresses, below {@code root}, which the command sees and may write to.
     *
     * @throws IllegalArgumentException if one is no address of its kind
     */
    public static CommandInputs of(JobSpec spec, List<String> inputs, String root) {
        CommandInputs made = new CommandInputs(spec, root);
        inputs.stream().filter(CommandInputs::isMeant).forEach(made::add);
        return made;
    }

    private void add(String input) {
        if (input.startsWith(HubModel.SCHEME)) {
            fetched.models().add(HubModel.parse(input).below(root));
        } else if (input.startsWith(NgcArtifact.SCHEME)) {
            fetched.artifacts().add(NgcArtifact.parse(input).below(root));
        } else {
            S3Address address = S3Address.parse(input);
            String local = root + "/s3/" + address.bucket() + (address.key().isEmpty() ? "" : "/" + address.key());
            fetched.downloads().add(new Transfer(address, local));
        }
    }

    /** Puts the paths where they lie in place of the addresses in {@code text}. */
    public String rewrite(String text) {
        return fetched.addresses().rewrite(text);
    }

    /** Shell text before the command, which does not start while one of them is not whole; empty for none. */
    public String before() {
        if (!fetched.any()) {
            return "";
        }
        Map<String, Object> plan = CommandResults.service(spec);
        plan.put("cache", root + "/.tao-etags");
        plan.put("shared", true);
        plan.put("files", fetched.downloads().stream().map(Transfer::plan).toList());
        plan.put("models", fetched.models());
        plan.put("artifacts", fetched.artifacts());
        return "if ! command -v python3 >/dev/null 2>&1; then\n"
                + "  echo 'tao: ERROR: there is no python3 here, which fetches the inputs: add it, or put the files there"
                + " beforehand' >&2\n  exit 69\nfi\n"
                + (fetched.downloads().isEmpty() ? "" : CommandResults.KEYS_OF_JOB)
                + "python3 -c " + quote(RUNNER) + " download " + quote(Json.write(plan)) + " </dev/null || {\n"
                + "  echo 'tao: ERROR: the inputs are not complete; the command was not started' >&2\n  exit 66\n}\n";
    }
}

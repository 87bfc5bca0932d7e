package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the command line says of a job in place of its file. */
public final class JobOverrides {
    @Option(
            names = {"-t", "--target"},
            paramLabel = "NAME",
            description = "Where to run it, instead of the file's 'target'.")
    public Optional<String> target = Optional.empty();

    @Option(names = "--image", paramLabel = "IMAGE", description = "The container image, instead of the file's.")
    Optional<String> image = Optional.empty();

    @Option(
            names = "--time",
            paramLabel = "TIME",
            description = "The time limit, instead of the file's: " + Durations.EXAMPLES + ".")
    Optional<String> time = Optional.empty();

    @Option(names = "--nodes", paramLabel = "N", description = "Machines, instead of the file's.")
    Optional<String> nodes = Optional.empty();

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs on each machine, instead of the file's.")
    Optional<String> gpus = Optional.empty();

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "An environment variable, besides or instead of the file's; may be repeated.")
    List<String> env = new ArrayList<>();

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "A value of the experiment spec, as in train.num_epochs=10; may be repeated.")
    List<String> set = new ArrayList<>();

    @Mixin
    public TargetsChoice targets = new TargetsChoice();

    /** The whole request for the job of {@code file}, which is read. */
    public JobRequest request(String file, Surroundings here) throws UsageException {
        java.nio.file.Path path = here.path(file).toAbsolutePath();
        return new JobRequest(
                        path.toString(),
                        YamlText.text(path, "job file"),
                        here.directory().toString(),
                        target.orElse(""),
                        targets.targets
                                .map(given -> here.path(given).toString())
                                .orElse(""),
                        overrides(),
                        "",
                        "")
                .withSpecFile(here);
    }

    private List<JobRequest.Replacement> overrides() throws UsageException {
        List<JobRequest.Replacement> list = new ArrayList<>();
        plain("image", image, list);
        plain("time", time, list);
        plain("nodes", nodes, list);
        plain("gpus", gpus, list);
        for (String pair : env) {
            String[] parts = split("--env", pair, "NCCL_DEBUG=INFO");
            list.add(new JobRequest.Replacement("--env " + parts[0], List.of("env", parts[0]), parts[1], false));
        }
        for (String pair : set) {
            String[] parts = split("--set", pair, "train.num_epochs=10");
            list.add(new JobRequest.Replacement("--set " + parts[0], List.of("spec", parts[0]), parts[1], true));
        }
        return list;
    }

    private static void plain(String key, Optional<String> value, List<JobRequest.Replacement> list) {
        value.ifPresent(text -> list.add(new JobRequest.Replacement("--" + key, List.of(key), text, false)));
    }

    private static String[] split(String option, String pair, String example) throws UsageException {
        int equals = pair.indexOf('=');
        if (equals < 1) {
            throw new UsageException(
                    option + " takes a name and a value, as in " + option + " " + example + "; found '" + pair + "'.");
        }
        return new String[] {pair.substring(0, equals), pair.substring(equals + 1)};
    }
}

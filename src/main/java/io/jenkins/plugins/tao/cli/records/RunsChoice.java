package io.jenkins.plugins.tao.cli.records;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which folder of runs. */
public class RunsChoice {
    @Option(
            names = "--archive-dir",
            paramLabel = "DIR",
            defaultValue = "tao-artifacts",
            description = "The folder of runs (default: ${DEFAULT-VALUE}).")
    public String archiveDirectory = "";

    @Option(
            names = "--baselines",
            paramLabel = "FILE",
            description =
                    "Where blessed runs lie, such as a file of the repository (default: baselines.jsonl beside the"
                            + " runs).")
    Optional<String> baselines = Optional.empty();

    public Path folder(Surroundings here) {
        return here.path(archiveDirectory);
    }

    public Optional<Path> file(Surroundings here) {
        return baselines.map(here::path);
    }

    public Runs read(Surroundings here) throws UsageException {
        return Runs.read(folder(here), file(here));
    }
}

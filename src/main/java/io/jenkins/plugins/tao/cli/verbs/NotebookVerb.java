package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.NotebookType;
import io.jenkins.plugins.tao.backend.Preview;
import io.jenkins.plugins.tao.cli.input.JobChoice;
import io.jenkins.plugins.tao.cli.input.TargetsChoice;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "notebook",
        description = "Writes a job as a notebook for a user to run; connects to nothing, reads no secret of the job.")
final class NotebookVerb extends Verb {
    private static final String ENDING = ".ipynb";

    @Parameters(index = "0", paramLabel = "PLACE", description = "colab, or a target whose backend runs notebooks.")
    String place = "";

    @Parameters(index = "1", paramLabel = "JOB_FILE", description = "The job, a YAML file.")
    String file = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where to write it, instead of the job file's name with .ipynb, here.")
    Optional<String> output = Optional.empty();

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The job's id, instead of one made of the file's name: the same id resumes the same results.")
    Optional<String> id = Optional.empty();

    @Option(names = "--force", description = "Replaces a file that is there.")
    boolean force;

    @Mixin
    TargetsChoice targets = new TargetsChoice();

    @Override
    ExitCode run(Session session) throws UsageException, BackendException {
        Surroundings here = withNotebooks(session.here());
        String stem = String.valueOf(here.path(file).getFileName()).replaceFirst("\\.[^.]*$", "");
        JobChoice choice = new JobChoice();
        choice.file = file;
        choice.overrides.target = Optional.of(place);
        choice.overrides.targets = targets;
        choice.id =
                Optional.of(id.orElseGet(() -> JobKey.derive(stem, "notebook").value()));
        Assignment assignment = Assignment.loadWithoutSecrets(choice, here);
        String text = notebook(
                here.types().of(assignment.target()).preview(assignment.target(), assignment.spec(), assignment.key()));
        Path path = here.path(output.orElse(stem + ENDING));
        write(path, text);
        here.out().println("wrote " + path + "; its first cell says how to run it");
        return ExitCode.SUCCEEDED;
    }

    /** {@code here}, or with the kinds that only write notebooks where {@link #place} is one of them. */
    private Surroundings withNotebooks(Surroundings here) {
        BackendTypes notebooks = BackendTypes.load(NotebookType.class);
        return notebooks.all().stream().anyMatch(type -> type.name().equals(place)) ? here.with(notebooks) : here;
    }

    private String notebook(Preview preview) throws UsageException {
        return preview.parts().stream()
                .filter(part -> part.name().endsWith(ENDING))
                .map(Preview.Part::text)
                .findFirst()
                .orElseThrow(() -> new UsageException(
                        "Target '" + place + "' runs no notebooks. Use colab, or a target with the backend kaggle."));
    }

    private void write(Path path, String text) throws UsageException {
        OpenOption[] how = force
                ? new OpenOption[] {
                    StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE
                }
                : new OpenOption[] {StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE};
        try {
            Files.writeString(path, text, StandardCharsets.UTF_8, how);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(path + " is there already. Give --force to replace it, or --output FILE.", e);
        } catch (IOException e) {
            throw new UsageException(path + " cannot be written: " + e.getMessage() + ".", e);
        }
    }
}

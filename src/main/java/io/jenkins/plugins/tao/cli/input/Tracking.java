package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.http.HttpProxy;
import io.jenkins.plugins.tao.tracking.MlflowServer;
import io.jenkins.plugins.tao.tracking.MlflowSettings;
import io.jenkins.plugins.tao.tracking.Outbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells MLflow of a run that has ended, and of those that an outage kept back; ends after seconds, and changes no exit code. */
public record Tracking(Surroundings here, Consumer<String> note) {
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Duration ALL = Duration.ofSeconds(10);

    /**
     * Tells of the run in {@code folder}, if the targets file names a server.
     *
     * @param targetsFile the one that the job was submitted with
     */
    public void ended(Path folder, Optional<String> targetsFile) {
        try {
            Optional<MlflowSettings> settings = Targets.find(targetsFile, here).mlflow();
            if (settings.isPresent()) {
                Outbox outbox = new Outbox(here.stateDirectory().resolve("mlflow"));
                outbox.add(folder, Optional.empty());
                send(outbox, settings.get());
            }
        } catch (IOException | UsageException | IllegalArgumentException e) {
            note.accept("This run is not logged to MLflow: " + e.getMessage());
        }
    }

    private void send(Outbox outbox, MlflowSettings settings) throws IOException {
        Instant now = here.now();
        try (MlflowServer server = settings.server(HttpProxy.ofEnvironment(here.env()), CALL)) {
            Outbox.Sent sent = outbox.send(server, now, () -> here.now().isBefore(now.plus(ALL)));
            sent.pages().forEach(page -> note.accept("in MLflow: " + page));
            sent.news().ifPresent(note);
        }
    }
}

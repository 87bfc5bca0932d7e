package io.jenkins.plugins.tao.tracking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What waits on the disk until an MLflow server has it. */
@Promise("NV-36")
class OutboxTest {
    private final Instant now = Instant.now();

    @TempDir
    Path folder;

    private MlflowStandIn mlflow;
    private Outbox outbox;

    @BeforeEach
    void start() throws IOException {
        mlflow = MlflowStandIn.start();
        outbox = new Outbox(folder.resolve("waiting"));
    }

    @AfterEach
    void stop() {
        mlflow.close();
    }

    private MlflowSettings settings(String experiment) {
        return new MlflowSettings(
                mlflow.address(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(experiment));
    }

    private Outbox.Sent send(MlflowSettings settings) throws IOException {
        try (MlflowServer server = settings.server(Optional.empty(), Duration.ofMinutes(5))) {
            return outbox.send(server, now, () -> true);
        }
    }

    private Outbox.Sent send() throws IOException {
        return send(settings("tao/{network}"));
    }

    private void add(RunRecord run) throws IOException {
        Files.writeString(folder.resolve(RunRecord.FILE), run.render());
        outbox.add(folder, Optional.of("https://ci.example/"));
    }

    @Test
    void aFolderThatCannotBeReadIsNotTakenForAnEmptyOne() throws IOException {
        assertThat(outbox.isEmpty()).isTrue();

        Files.writeString(folder.resolve("waiting"), "no folder");

        assertThat(outbox.isEmpty()).isFalse();
        assertThatThrownBy(this::send).isInstanceOf(IOException.class).hasMessageContaining("waiting");
    }

    @Test
    void runsAreLookedThroughWhileAnotherTakesThemAway() throws Exception {
        for (int i = 0; i < 300; i++) {
            add(ARun.of(1, i).record());
        }
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            files.add(folder.resolve("waiting/train-1-" + i + ".json"));
        }
        Thread other = new Thread(() -> {
            Random random = new Random(1);
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    Path file = files.get(random.nextInt(files.size()));
                    Files.deleteIfExists(file);
                    Files.writeString(file, "{}");
                    Files.setLastModifiedTime(file, FileTime.from(now.minusSeconds(random.nextInt(9999))));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        other.start();
        try (MlflowServer server = settings("x").server(Optional.empty(), Duration.ofMinutes(5))) {
            for (int i = 0; i < 300; i++) {
                assertThat(outbox.isEmpty()).isFalse();
                assertThat(outbox.send(server, Instant.EPOCH, () -> false).waiting())
                        .isPositive();
            }
        } finally {
            other.interrupt();
            other.join();
        }
    }
}

package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryFileTest {
    @TempDir
    Path build;

    @Test
    void whatIsKeptIsThereForTheNextProcess() {
        new MemoryFile(() -> build, "job-1", () -> {}).save("{\"a\":1}");
        new MemoryFile(() -> build, "job-1", () -> {}).save("{\"a\":2}");

        assertThat(new MemoryFile(() -> build, "job-1", () -> {}).load()).contains("{\"a\":2}");
        assertThat(new MemoryFile(() -> build, "job-2", () -> {}).load()).isEmpty();
    }

    @Test
    void theLogIsWrittenOutBeforeItsPositionIsKept() {
        Path kept = build.resolve("job-1.json");
        AtomicBoolean flushedFirst = new AtomicBoolean();
        MemoryFile memory = new MemoryFile(() -> build, "job-1", () -> flushedFirst.set(Files.notExists(kept)));

        memory.save("{}");

        assertThat(flushedFirst).isTrue();
    }
}

package io.jenkins.plugins.tao.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.BackendException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies that break off while the files change under them. */
class DownloadTest {
    @TempDir
    Path directory;

    private final List<String> skipped = new ArrayList<>();

    @Test
    void aCopyThatBrokeOffAndWhoseFileIsThenGoneIsToldAsIncomplete() throws Exception {
        Path file = directory.resolve("best.pth");
        Files.write(file, new byte[3_000_000]);

        Map<String, String> sums = new Download(new BreakingHost(file), ArtifactPlan.of(List.of("*.pth")), new Sink())
                .copy("results", directory.toString(), List.of("*.pth"));

        assertThat(sums).isEmpty();
        assertThat(skipped)
                .containsExactly("results/best.pth changed while it was read: 1000000 of 3000000 bytes came");
    }

    /** Breaks the first copy off after a million bytes, and takes the file away. */
    private static final class BreakingHost implements Host {
        private final LocalHost host = new LocalHost();
        private final Path file;
        private boolean broken;

        BreakingHost(Path file) {
            this.file = file;
        }

        @Override
        public Reply run(String script, Duration limit) throws BackendException {
            return host.run(script, limit);
        }

        @Override
        public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
            if (broken) {
                return host.stream(script, sink, limit);
            }
            broken = true;
            try {
                sink.write(new byte[1_000_000]);
                Files.delete(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            throw new BackendException.Unreachable("The line broke.", "Try again.");
        }

        @Override
        public String name() {
            return "a box that breaks off";
        }

        @Override
        public void close() {
            host.close();
        }
    }

    private final class Sink implements ArtifactSink {
        @Override
        public OutputStream open(String path) {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void skipped(String path, String reason) {
            skipped.add(path + " " + reason);
        }
    }
}

package io.jenkins.plugins.tao.backend.kubernetes.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.remote.CuttingProxy;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Connections that are cut while a small pod reads a volume. */
class VolumeFetchCutsTest extends VolumeFetchCase {
    @Test
    @Promise("NS-19")
    void aFirstAnswerThatIsCutIsAskedForAgain() throws Exception {
        JobHandle job = trained();
        cluster.server().cutAfter(0, () -> cluster.server().cutAfter(Long.MAX_VALUE));

        fetch(job);

        assertThat(sink.names()).contains("results/train/epoch_1.pth");
        assertThat(sink.skipped()).isEmpty();
        assertThat(readers()).isEmpty();
    }

    @Test
    @Promise("NS-19")
    void anAnswerThatIsCutEachTimeIsReportedInOneSentence() throws Exception {
        JobHandle job = trained();
        cluster.server().cutAfter(0);

        assertThatThrownBy(() -> fetch(job))
                .isInstanceOf(BackendException.Unreachable.class)
                .hasMessageContaining("sent broke off")
                .hasMessageNotContaining("Exception");
        assertThat(sink.skipped().get("results/train/*.pth"))
                .contains("it stays on the volume", "Fetch again")
                .doesNotContain("room");
    }

    @Test
    @Promise("NS-19")
    void aConnectionThatIsTornApartLeavesNoStackTraceOfALibrary() throws Exception {
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Handler listener = new Handler() {
            @Override
            public void publish(LogRecord record) {
                logged.add(record);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger library = Logger.getLogger("io.fabric8");
        library.addHandler(listener);
        URI server = URI.create(target().build().server().orElseThrow());
        try (CuttingProxy line = new CuttingProxy(server.getPort())) {
            reopened(target().with("fetchFromVolume", true)
                    .with("server", "http://127.0.0.1:" + line.address().port())
                    .build());
            JobHandle job = finished("train");
            line.cutOnceAfter(200_000);

            fetch(job);

            assertThat(sink.bytes("results/train/epoch_1.pth"))
                    .isEqualTo(Files.readAllBytes(temporary.resolve("pvc/results/train/train/epoch_1.pth")));
            assertThat(logged).allMatch(record -> record.getThrown() == null);
        } finally {
            library.removeHandler(listener);
        }
    }
}

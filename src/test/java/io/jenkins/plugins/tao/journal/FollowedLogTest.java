package io.jenkins.plugins.tao.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that can be gone with their job are kept as they were followed. */
class FollowedLogTest {
    @TempDir
    Path folder;

    private Journal watched(String backend) throws IOException {
        Journal journal = new Journal(folder, Clock.systemUTC(), text -> text.replace("hunter2", "****"));
        journal.watched(new JobHandle("t", backend, new JobKey("a"), 1, "ns/tao-a", "/x", "/r", Instant.EPOCH));
        return journal;
    }

    @Test
    @Promise("TR-28")
    void whatWasFollowedStaysWithoutItsSecrets() throws IOException {
        Journal journal = watched("kubernetes");

        journal.on(JobEvent.Lines.of(Stream.OUT, List.of("[0] epoch 1", "[1] key hunter2")));
        journal.on(JobEvent.Lines.of(Stream.OUT, List.of("[0] epoch 2")));

        assertThat(folder.resolve("followed.log")).hasContent("[0] epoch 1\n[1] key ****\n[0] epoch 2\n");
        assertThat(Journal.RESULTS).contains("followed.log");
    }

    @Test
    void aLogThatStaysWithItsJobIsNotWrittenTwice() throws IOException {
        Journal journal = watched("slurm");

        journal.on(JobEvent.Lines.of(Stream.OUT, List.of("epoch 1")));

        assertThat(folder.resolve("followed.log")).doesNotExist();
    }
}

package io.jenkins.plugins.tao.backend.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A further attempt of a played job that breaks off: it neither ends the job, nor doubles it, nor takes an attempt. */
class NextAttemptTest {
    @TempDir
    Path temporary;

    private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-11-22T22:00:00Z"));
    private JobHandle one;
    private Path folder;

    @BeforeEach
    void aJobWhoseNodeFailed() throws Exception {
        JobSpec spec = JobSpec.of("train")
                .options(Planned.options(Planned.failure(PlannedFailure.Kind.NODE_LOST)))
                .build();
        one = open().submit(spec, new JobKey("played"));
        folder = temporary.resolve("sim/jobs/played");
        ticker.advance(Duration.ofHours(1));
    }

    private Backend open() {
        return new SimulatedType(ticker::now).open(Planned.target("night", temporary + "/sim"));
    }

    private JobHandle next() throws BackendException {
        return open().resubmit(one, Map.of(), Set.of("gpu01"));
    }

    private JobStatus look(JobHandle job) throws BackendException {
        return Objects.requireNonNull(open().poll(Set.of(job)).get(job));
    }

    @Test
    @Promise("TR-12")
    void anAttemptWhoseMakerIsGoneIsFoundAndTheOneBeforeReadsAsBefore() throws Exception {
        JobStatus before = look(one);
        JobHandle two = next();
        ticker.advance(Duration.ofMinutes(10));

        assertThat(next()).isEqualTo(two);
        assertThat(look(one).ending()).isEqualTo(before.ending());
        assertThat(folder.resolve("attempt-3.json")).doesNotExist();
    }

    @Test
    void aDraftThatWasLeftIsNoAttempt() throws Exception {
        Files.writeString(folder.resolve("draft123.json"), "{");

        assertThat(next().attempt()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"attempt-2.json", "job.json"})
    void aFolderThatCannotBeUsedNowEndsNothing(String file) throws Exception {
        Path kept = folder.resolveSibling("kept");
        if (file.equals("job.json")) {
            Files.move(folder.resolve(file), kept);
        }
        Files.createDirectory(folder.resolve(file));
        assertThatThrownBy(this::next).isInstanceOf(Unreachable.class);
        Files.delete(folder.resolve(file));
        if (file.equals("job.json")) {
            Files.move(kept, folder.resolve(file));
        }

        assertThat(next().attempt()).isEqualTo(2);
    }
}

package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.monitor.poll.Connections;
import io.jenkins.plugins.tao.monitor.poll.Monitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real monitor and the real backend on a cluster whose nodes all fail, one after another. */
final class SlurmAttemptsTest {
    @TempDir
    Path directory;

    /** The job with id 4711 runs on gpu1, the next one on gpu2, and so on. sinfo knows no gpu3 any more. */
    private FakeSlurm failing() throws Exception {
        FakeSlurm slurm = new FakeSlurm(directory);
        String queue = "'" + slurm.base + "/queue'";
        slurm.command(
                "sbatch",
                "for last; do :; done; grep -ho '^export TAO_JOB_ID=.*' \"$last\" >> '" + slurm.base
                        + "/ids'; echo $$ >> " + queue + "; awk 'END {print 4710 + NR}' " + queue);
        slurm.command(
                "squeue",
                "while [ \"$1\" != -j ]; do shift; done; id=$2\n"
                        + "printf '%s\\037NODE_FAIL\\037None\\037gpu%s\\0371\\0372\\0371\\037tao-job-" + Sample.KEY
                        + "\\n' \"$id\" $((id - 4710))");
        slurm.command("sinfo", "seq -f 'gpu%g' 20 | grep -vx gpu3");
        return slurm;
    }

    @Test
    @Promise({"SL-68", "SL-77", "NS-25"})
    void elevenNodesThatFailAreElevenAttemptsEachWithoutTheNodesBefore() throws Exception {
        FakeSlurm slurm = failing();
        PlayedSlurm type = new PlayedSlurm(slurm);
        ManualTicker ticker = new ManualTicker(Instant.parse("2026-11-21T00:00:00Z"));
        List<JobEvent> told = new ArrayList<>();
        try (Connections connections = new Connections(BackendTypes.of(type), ticker, Runnable::run, Controller.NONE);
                Monitor monitor = new Monitor(connections, ticker, Runnable::run);
                Backend backend = type.open(slurm.target())) {
            JobHandle job = backend.submit(JobSpec.of("true").build(), Sample.KEY);
            monitor.watch(slurm.target(), job, WatchPlan.defaults(), WatchMemory.none(), told::add);

            for (int i = 0; i < 100 && !(told.get(told.size() - 1) instanceof JobEvent.Ended); i++) {
                ticker.advance(Duration.ofMinutes(1));
            }
        }

        JobResult result = ((JobEvent.Ended) told.get(told.size() - 1)).result();
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.cause()).isEqualTo(Outcome.Cause.NODE_FAILURE));
        assertThat(result.attempts()).hasSize(10);
        assertThat(result.handle().nativeId()).isEqualTo("4721");
        assertThat(result.handle().key()).isEqualTo(Sample.KEY);
        List<String> sent =
                slurm.calls().lines().filter(call -> call.startsWith("sbatch ")).toList();
        assertThat(sent).hasSize(11);
        assertThat(Files.readAllLines(slurm.base.resolve("ids")))
                .hasSize(11)
                .containsOnly("export TAO_JOB_ID=" + Sample.KEY);
        assertThat(sent.get(0)).doesNotContain("--exclude");
        for (int attempt = 1; attempt < sent.size(); attempt++) {
            assertThat(sent.get(attempt)).doesNotContain("gpu3");
            if (attempt != 3) {
                assertThat(sent.get(attempt)).containsPattern("--exclude=gpu" + attempt + "[, ]");
            }
        }
    }
}

package io.jenkins.plugins.tao.backend.slurm.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.slurm.FakeSlurm;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.shell.LeaseShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that Slurm put back into the queue: of their first runs accounting alone knows. */
final class AccountedRunsTest {
    /** As sacct of 22.05.8 lists the runs of one job, each with the same id. */
    private static final String PREEMPTED = "1|PREEMPTED|0:0|100|190|gpu01|tao-job-a";

    private static final String NODE_FAIL = "1|NODE_FAIL|1:0|320|325|gpu02|tao-job-a";

    @TempDir
    Path directory;

    private FakeSlurm slurm;

    @BeforeEach
    void cluster() throws IOException {
        slurm = new FakeSlurm(directory);
    }

    private JobHandle handle(String key, String id) {
        return new JobHandle("dgx", "slurm", new JobKey(key), 1, id, slurm.base.toString(), "/r", Instant.EPOCH);
    }

    private static String rows(List<String> rows) {
        return "printf '%s\\n' '" + String.join("\n", rows).replace('|', '\u001f') + "'";
    }

    private Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws Exception {
        String text = slurm.shell(LeaseShell.of(Controller.NONE) + "\n" + SlurmPoll.render(jobs));
        return SlurmReply.parse("dgx", text, jobs);
    }

    /** The third run of job 1, which took ten seconds, as squeue and the frame's note have it. */
    private JobStatus third(String state, List<String> accounted) throws Exception {
        JobHandle job = handle("a", "1");
        slurm.command("squeue", rows(List.of("1|" + state + "|None|gpu03|450|460|430|tao-job-a")));
        slurm.command("sacct", rows(accounted));
        Files.writeString(slurm.base.resolve("exit/a-1"), "run=2 start=450 end=460 code=0 ranks=1 by=command\n");
        return poll(Set.of(job)).getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "absent"));
    }

    @Test
    @Promise("NV-01")
    void runsThatWereNotWatchedCountToo() throws Exception {
        JobStatus status =
                third("COMPLETED", List.of(PREEMPTED, NODE_FAIL, "1|RUNNING|0:0|450|Unknown|gpu03|tao-job-a"));

        assertThat(status.ending()).contains(Ending.COMPLETED);
        assertThat(status.runs()).isEqualTo(3);
        assertThat(status.ran()).contains(Duration.ofSeconds(90 + 5 + 10));
        assertThat(slurm.calls()).containsOnlyOnce("sacct").contains("sacct -X -D -n -P", "-j 1 ");
    }

    /** A run that is missing, one that has no end, another job of this id before a restart of the controller, a member of an array. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1|NODE_FAIL|1:0|320|Unknown|gpu02|tao-job-a",
                "1|NODE_FAIL|1:0|320|325|gpu02|tao-job-b",
                "1_2|NODE_FAIL|1:0|320|325|gpu02|tao-job-a",
                "sacct: error: Invalid field"
            })
    void aTimeThatIsNotKnownWholeIsLeftOut(String other) throws Exception {
        assertThat(third("COMPLETED", List.of(PREEMPTED, other)).ran()).isEmpty();
    }

    /** Two members at a time of two GPUs are no more than their own runs, whatever lies between. */
    @Test
    void theTimesOfAllMembersOfAnArrayAddUpWithTheirFormerRuns() throws Exception {
        JobHandle job = handle("a", "7_[1-3]");
        slurm.command(
                "squeue",
                rows(List.of(
                        "7_1|COMPLETED|None|gpu03|450|460|430|tao-job-a",
                        "7_2|COMPLETED|None|gpu04|100|160|90|tao-job-a",
                        "7_3|CANCELLED|None||0|0|90|tao-job-a")));
        slurm.command(
                "sacct",
                rows(List.of("7_1|PREEMPTED|0:0|100|190|gpu01|tao-job-a", "7_3|CANCELLED|0:0|Unknown|200||tao-job-a")));
        Files.writeString(slurm.base.resolve("exit/a-7_1"), "run=1 start=450 end=460 code=0 by=command\n");
        Files.writeString(slurm.base.resolve("exit/a-7_2"), "run=0 start=100 end=160 code=0 by=command\n");

        JobStatus whole = Objects.requireNonNull(poll(Set.of(job)).get(job));

        assertThat(whole.state()).isEqualTo(JobState.ENDED);
        assertThat(whole.ran()).contains(Duration.ofSeconds(90 + 10 + 60));
        assertThat(whole.untimed()).isZero();
        assertThat(slurm.calls()).contains("-j 7_1 ");

        slurm.command("sacct", rows(List.of("7_3|CANCELLED|0:0|Unknown|200||tao-job-a")));
        JobStatus partly = Objects.requireNonNull(poll(Set.of(job)).get(job));

        assertThat(partly.ran()).as("without the former run of 7_1").contains(Duration.ofSeconds(10 + 60));
        assertThat(partly.untimed()).isEqualTo(1);
    }

    @Test
    void aJobThatStillRunsIsNotLookedUp() throws Exception {
        assertThat(third("RUNNING", List.of(PREEMPTED, NODE_FAIL)).ran()).isEmpty();
        assertThat(slurm.calls()).doesNotContain("sacct");
    }

    @Test
    void manyJobsAreLookedUpAtOnceAndThoseThatRanOnceNotAtAll() throws Exception {
        Set<JobHandle> jobs = new LinkedHashSet<>();
        StringBuilder queue = new StringBuilder();
        for (int id = 1; id <= 4; id++) {
            jobs.add(handle("a" + id, Integer.toString(id)));
            queue.append(id)
                    .append("|COMPLETED|None|gpu03|450|460|430|tao-job-a")
                    .append(id)
                    .append('\n');
            int run = id == 4 ? 0 : 1;
            Files.writeString(
                    slurm.base.resolve("exit/a" + id + "-" + id),
                    "run=" + run + " start=450 end=460 code=0 by=command\n");
        }
        slurm.command("squeue", rows(List.of(queue.toString().strip())));
        slurm.command(
                "sacct",
                rows(List.of("1|REQUEUED|0:0|100|190|gpu01|tao-job-a1", "3|REQUEUED|0:0|100|101|gpu01|tao-job-a3")));

        Map<JobHandle, JobStatus> found = poll(jobs);

        assertThat(found.values())
                .extracting(status -> status.ran().orElse(Duration.ZERO).toSeconds())
                .containsExactly(100L, 0L, 11L, 0L);
        assertThat(slurm.calls()).containsOnlyOnce("sacct").contains("-j 1,2,3 ");
    }
}

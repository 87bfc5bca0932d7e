package io.jenkins.plugins.tao.backend.slurm.poll;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are in no list of squeue, whatever hides them. */
final class UnlistedJobTest {
    @TempDir
    Path directory;

    private FakeSlurm slurm;

    @BeforeEach
    void cluster() throws IOException {
        slurm = new FakeSlurm(directory);
    }

    /** squeue has nothing; sacct's row, what scontrol says, and the note, with the time of the look. */
    private JobStatus unlisted(String sacct, String scontrol, String note, long now) throws Exception {
        JobHandle job = handle("1");
        return SlurmReply.parse("dgx", asked(job, sacct, scontrol, note, now), Set.of(job))
                .getOrDefault(job, JobStatus.live(JobState.UNCLEAR, "absent"));
    }

    private String asked(JobHandle job, String sacct, String scontrol, String note, long now) throws Exception {
        slurm.command("sacct", "echo '" + sacct.replace('|', '\u001f') + "'");
        slurm.command("scontrol", "echo '" + scontrol + "'; case '" + scontrol + "' in JobId*) ;; *) exit 1 ;; esac");
        slurm.command("date", "echo " + now);
        Files.writeString(slurm.base.resolve("exit/a-1"), note + "\n");
        return slurm.shell(LeaseShell.of(Controller.NONE) + "\n" + SlurmPoll.render(Set.of(job)));
    }

    private JobHandle handle(String id) {
        return new JobHandle("dgx", "slurm", new JobKey("a"), 1, id, slurm.base.toString(), "/r", Instant.EPOCH);
    }

    private static final String PUT_BACK = "JobId=1 JobName=tao-job-a UserId=tao(20001) Nice=0 JobState=PENDING"
            + " Reason=BeginTime Dependency=(null) Requeue=1 Restarts=1 SubmitTime=90 StartTime=220 EndTime=N/A"
            + " ReqNodeList=(null) ExcNodeList=(null) NodeList=";
    private static final String UNKNOWN = "slurm_load_jobs error: Invalid job id specified";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1|PENDING|0:0|Unknown|Unknown|None assigned|tao-job-a",
                "1|CANCELLED by 0|0:0|10|20|gpu01|tao-job-a",
                "1|NODE_FAIL|1:0|10|20|gpu01|tao-job-a",
                ""
            })
    void aJobThatOnlyTheControllerStillHasIsWatchedOn(String sacct) throws Exception {
        JobStatus status = unlisted(sacct, PUT_BACK, "run=0 start=10 end=20 code=143 ranks=1 by=TERM", 100_000);

        assertThat(status.state()).isEqualTo(JobState.PENDING);
        assertThat(status.reason().orElseThrow()).startsWith("BeginTime: ");
        assertThat(status.outlook().start()).contains(Instant.ofEpochSecond(220));
    }

    @Test
    void anEndThatTheControllerAloneTellsIsOne() throws Exception {
        String ended = "JobId=1 JobName=tao-job-a UserId=tao(20001) JobState=FAILED Reason=NonZeroExitCode"
                + " Dependency=(null) SubmitTime=5 StartTime=10 EndTime=20 NodeList=gpu[01-02] BatchHost=gpu01";

        JobStatus status = unlisted("", ended, "run=0 start=10 end=20 code=3 ranks=1 by=command", 30);

        assertThat(status.ending()).contains(Ending.FAILED);
        assertThat(status.nodes()).containsExactly("gpu01", "gpu02");
        assertThat(status.exitCode()).hasValue(3);
    }

    /** A controller that was killed and started again ends the runs that it had forgotten, and starts them once more. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run=0 start=10 end=20 code=143 ranks=1 by=TERM",
                "run=0 start=10 end=20 code=0 ranks=1 by=step",
                "run=0 start=10 end=20 code=137 ranks=1 rank=0 node=gpu01 by=lost"
            })
    void anInterruptedRunThatSlurmHasNoWordOfIsNoEndForTenMinutes(String note) throws Exception {
        assertThat(unlisted("", UNKNOWN, note, 25).state()).isEqualTo(JobState.UNCLEAR);
        assertThat(unlisted("1|RUNNING|0:0|10|Unknown|gpu01|tao-job-a", UNKNOWN, note, 25)
                        .state())
                .isEqualTo(JobState.UNCLEAR);
        assertThat(unlisted("", UNKNOWN, note, 700).state()).isEqualTo(JobState.ENDED);
        assertThat(unlisted("", "Unable to contact slurm controller", note, 700).state())
                .isEqualTo(JobState.UNCLEAR);
    }

    @Test
    void aMemberThatOnlyTheControllerHasIsFoundByItsIndex() throws Exception {
        JobHandle array = handle("7_[0-3]");
        String scontrol = "JobId=9 ArrayJobId=7 ArrayTaskId=0 JobName=tao-job-a JobState=RUNNING Reason=None"
                + " Dependency=(null) StartTime=10 EndTime=99 NodeList=gpu01\nJobId=7 ArrayJobId=7 ArrayTaskId=1-3%2"
                + " JobName=tao-job-a JobState=PENDING Reason=Resources Dependency=(null) StartTime=N/A EndTime=N/A NodeList=";

        Map<Integer, JobStatus> members =
                SlurmReply.read("dgx", asked(array, "", scontrol, "", 1)).members(array);

        assertThat(members.values())
                .extracting(JobStatus::state)
                .containsExactly(JobState.RUNNING, JobState.PENDING, JobState.PENDING, JobState.PENDING);
    }
}

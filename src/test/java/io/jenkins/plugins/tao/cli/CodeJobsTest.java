package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.CodeVersion;
import io.jenkins.plugins.tao.cli.jobs.PendingJob;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.code.CodeLimits;
import io.jenkins.plugins.tao.job.Checkpoints;
import io.jenkins.plugins.tao.job.CodeId;
import io.jenkins.plugins.tao.job.GitCode;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs with code from the command line. */
class CodeJobsTest {
    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void aBench() {
        bench = new Bench(directory);
        bench.write("code/train.py", "print(1)\n");
        bench.write("job.yaml", "target: fake\ncommand: exit 0\ncode: code\n");
    }

    @Test
    void aFileOfTheCommandThatIsNotSentIsWarnedOf() {
        bench.write("train.py", "");
        bench.write("sub/eval.py", "");
        bench.write("plain.yaml", "target: fake\ncommand: python3 train.py --lr=1 < in.txt\n");
        bench.write("sub/plain.yaml", "target: fake\ncommand: python3 ./eval.py\n");
        bench.write("other.yaml", "target: fake\ncommand: cd /code && python3 train.py\n");
        bench.write("absolute.yaml", "target: fake\ncommand: python3 " + directory + "/train.py no.py .\n");
        String where = ", which lies in " + directory;

        assertThat(bench.tao("preflight", "plain.yaml")).isZero();
        assertThat(bench.out()).contains("! code: the command names train.py" + where + " and is not sent\n");
        assertThat(bench.tao("submit", "sub/plain.yaml")).isZero();
        assertThat(bench.err())
                .contains(
                        "! code: the command names ./eval.py" + where + "/sub and",
                        "Add 'code: " + directory + "/sub'");
        for (String file : List.of("other.yaml", "absolute.yaml", "job.yaml")) {
            assertThat(bench.tao("preflight", file)).isZero();
            assertThat(bench.out()).doesNotContain("code:");
        }
    }

    private CodeId id() throws Exception {
        return CodeFolder.read(directory.resolve("code"), CodeLimits.defaults())
                .listing()
                .id();
    }

    @Test
    @Promise("NS-01")
    void theCodeIsDeliveredBeforeTheJobIsNotedAsSentAndIsPartOfTheJob() throws Exception {
        AtomicBoolean noted = new AtomicBoolean(true);
        bench.backend()
                .willBeSeenByDelivery(key ->
                        noted.set(Files.exists(directory.resolve("home/.local/state/tao-run/" + key + ".sending"))));

        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(0);

        assertThat(noted).isFalse();
        assertThat(bench.backend().submitted()).extracting(JobSpec::code).containsExactly(Optional.of(id()));
        assertThat(bench.err()).contains("the code is in /code/" + id() + ": 1 file, 1 bytes sent");
    }

    @Test
    @Promise("NS-01")
    void aJobThatIsTakenUpAfterACrashHasTheCodeItWasAskedForWith() throws Exception {
        CodeId before = id();
        Assignment asked = load(request(""));
        bench.write("code/train.py", "print(2)\n");

        Assignment takenUp =
                load(PendingJob.parse(new PendingJob("job-1", "fake", Bench.NOON.toString(), asked.request()).render())
                        .request());

        assertThat(takenUp.spec().code()).contains(before);
        assertThat(takenUp.code()).isEmpty();
    }

    @Test
    void aRecordOfAVersionWithoutCodeIsRead() throws Exception {
        String now = new PendingJob("job-1", "fake", Bench.NOON.toString(), request("")).render();
        String old = now.replaceFirst(",\\s*\"code\"\\s*:\\s*\"\"", "");

        assertThat(old).doesNotContain("\"code\"");
        assertThat(PendingJob.parse(old).request().code()).isEmpty();
    }

    private JobRequest request(String code) throws Exception {
        return new JobRequest(
                directory.resolve("job.yaml").toString(),
                Files.readString(directory.resolve("job.yaml")),
                directory.toString(),
                "",
                "",
                java.util.List.of(),
                "",
                code);
    }

    private Assignment load(JobRequest request) throws UsageException {
        return Assignment.load(request, Optional.of("job-1"), bench.surroundings());
    }

    @Test
    @Promise("NS-02")
    void codeThatCannotBeSentIsRefusedBeforeAnythingIsSent() throws Exception {
        Files.createSymbolicLink(directory.resolve("code/out"), Path.of("/etc"));

        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(2);
        assertThat(bench.err())
                .contains("cannot be sent: the symbolic link 'out' leads to /etc, out of the directory.");
        assertThat(bench.backend().submitted()).isEmpty();
    }

    @Test
    @Promise("NS-03")
    void aCommitThatTheJobFetchesIsNamedWithItsCredentialAmongTheSecrets() throws Exception {
        String commit = "0123456789abcdef0123456789abcdef01234567";
        bench.write(
                "job.yaml",
                "target: fake\ncommand: dino train -e x\nresume: never\nkeepCheckpoints: last 2, highest val_mAP50\n"
                        + "code: {git: 'https://git.example/x.git', commit: " + commit
                        + ", credential: 'file:token'}\n");
        bench.write("token", "hidden-4711\n");

        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(0);

        JobSpec job = bench.backend().submitted().get(0);
        assertThat(job.gitCode())
                .contains(new GitCode("https://git.example/x.git", commit, Optional.of(GitCode.SECRET)));
        assertThat(job.secrets()).containsEntry(GitCode.SECRET, Secret.of("hidden-4711"));
        assertThat(job.checkpoints()).isEqualTo(Checkpoints.parse("never", "last 2, highest val_mAP50"));
        assertThat(bench.err()).doesNotContain("hidden-4711");
        JobRequest request = request("");
        assertThat(CodeVersion.origin(bench.surroundings(), load(request)).fact("code"))
                .contains(commit);

        bench.write("job.yaml", "target: fake\ncommand: x\ncode: {git: 'https://git.example/x.git', commit: main}\n");
        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(2);
        assertThat(bench.err()).contains("'main' is not a commit: 40 hexadecimal digits, all of them");
    }
}

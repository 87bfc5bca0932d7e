package io.jenkins.plugins.tao.backend.slurm.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.slurm.FakeSlurm;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The installation of a pull key on the cluster, under a real shell with a home directory of its own. */
final class EnrootCredentialsTest {
    private static final String OURS = """
            machine nvcr.io login $oauthtoken password nvapi-h'ush
            machine authn.nvidia.com login $oauthtoken password nvapi-h'ush
            """;

    @TempDir
    Path directory;

    private FakeSlurm slurm;
    private Path credentials;

    @BeforeEach
    void cluster() throws IOException {
        slurm = new FakeSlurm(directory);
        slurm.command("sbatch", "env >> '" + slurm.base.resolve("sbatch-env") + "'; echo 4711");
        slurm.command("awk", "env >> '" + slurm.base.resolve("sbatch-env") + "'; exec /usr/bin/awk \"$@\"");
        credentials = directory.resolve("home/.config/enroot/.credentials");
    }

    private static JobSpec job(boolean approved, Map<String, Secret> secrets) {
        return JobSpec.of("true")
                .image("nvcr.io/a/b:1")
                .secrets(secrets)
                .options(Records.of(SlurmOptions.class, "installEnrootCredentials", approved))
                .build();
    }

    private static Map<String, Secret> key(String value) {
        return Map.of("NGC_KEY", Secret.of(value));
    }

    private String submit(JobSpec spec) throws Exception {
        Path home = Files.createDirectories(directory.resolve("home"));
        SlurmPlan plan = SlurmPlan.of(slurm.target(), spec, Sample.KEY);
        return slurm.shell("HOME='" + home + "'\n" + SlurmSubmission.first(plan));
    }

    @Test
    @Promise({"SL-08", "SL-09"})
    void theKeyArrivesInAFileOfModeSixHundredAndNowhereElse() throws Exception {
        String answer = submit(job(true, key("nvapi-h'ush")));

        assertThat(Files.readString(credentials)).isEqualTo(OURS);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(credentials)))
                .isEqualTo("rw-------");
        assertThat(answer).startsWith("tao-submit id 4711").doesNotContain("ush");
        assertThat(slurm.calls()).doesNotContain("nvapi");
        assertThat(Files.readString(slurm.base.resolve("sbatch-env"))).doesNotContain("nvapi");
    }

    @Test
    @Promise({"SL-08", "GE-07"})
    void withoutApprovalNothingIsInstalled() throws Exception {
        submit(job(false, key("nvapi-hush")));

        assertThat(credentials).doesNotExist();
    }

    @Test
    void linesOfOtherMachinesStay() throws Exception {
        Files.createDirectories(credentials.getParent());
        Files.writeString(credentials, """
                # mine
                machine ghcr.io login ada password x
                machine nvcr.io
                  login $oauthtoken
                  password old
                machine authn.nvidia.com login $oauthtoken password old
                machine nvcr.io.example login b password y""");

        submit(job(true, key("nvapi-h'ush")));

        assertThat(Files.readString(credentials)).isEqualTo("""
                # mine
                machine ghcr.io login ada password x
                machine nvcr.io.example login b password y
                """ + OURS);
        assertThat(slurm.calls()).doesNotContain("nvapi");
        assertThat(Files.readString(slurm.base.resolve("sbatch-env"))).doesNotContain("nvapi");
    }

    @Test
    @Promise("SL-08")
    void aKeyThatIsThereAlreadyIsNotWrittenAgain() throws Exception {
        Files.createDirectories(credentials.getParent());
        Files.writeString(credentials, OURS);
        Files.setLastModifiedTime(credentials, FileTime.from(Instant.ofEpochSecond(1)));

        submit(job(true, key("nvapi-h'ush")));

        assertThat(Files.getLastModifiedTime(credentials).toInstant()).isEqualTo(Instant.ofEpochSecond(1));
    }

    @Test
    void aHomeThatCannotBeWrittenStopsTheSubmission() throws Exception {
        Files.createDirectories(directory.resolve("home"));
        Files.writeString(directory.resolve("home/.config"), "no directory");

        String answer = submit(job(true, key("nvapi-hush")));

        assertThatThrownBy(() -> SlurmSubmission.parse("fake", Sample.KEY, answer))
                .isInstanceOf(Denied.class)
                .message()
                .doesNotContain("nvapi");
        assertThat(slurm.calls()).doesNotContain("sbatch ");
    }

    @Test
    void approvalWithoutAUsableKeyIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> SlurmPlan.of(slurm.target(), job(true, Map.of()), Sample.KEY))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("NGC_KEY");
        assertThatThrownBy(() -> SlurmPlan.of(slurm.target(), job(true, key("two words")), Sample.KEY))
                .isInstanceOf(Rejected.class)
                .message()
                .doesNotContain("two words");
    }
}

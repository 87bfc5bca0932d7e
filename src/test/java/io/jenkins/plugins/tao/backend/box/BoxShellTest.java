package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.box.diagnosis.BoxDiagnosis;
import io.jenkins.plugins.tao.backend.box.options.BoxPlaces;
import io.jenkins.plugins.tao.backend.box.options.BoxSettings;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of the shell text in a real shell, where programs of the machine are played by functions. */
class BoxShellTest {
    @TempDir
    Path directory;

    private Reply sh(String script) throws Exception {
        return new LocalHost().run(script, Duration.ofMinutes(5));
    }

    private static String stages() {
        return OwnFile.text(BoxScript.class, "box.sh") + OwnFile.text(BoxScript.class, "stages.sh");
    }

    @Test
    void theSignatureInADownloadsAddressIsInNoLog() throws Exception {
        Files.writeString(
                Files.createDirectories(directory.resolve("job")).resolve("downloads"),
                "https://me:s3cret@data.example.com/a.zip?X-Amz-Signature=s1gned " + directory + "/data/a.zip\n");

        Reply reply = sh(stages() + """
                curl() { return 22; }
                sleep() { :; }
                tao_job=%s/job tao_attempt=%s/job tao_still=1
                tao_prepare
                """.formatted(directory, directory));

        assertThat(reply.exitCode()).isEqualTo(73);
        assertThat(reply.err())
                .contains("the download of https://data.example.com/a.zip stood still")
                .contains("https://data.example.com/a.zip could not be downloaded")
                .doesNotContain("s1gned", "s3cret");
    }

    @Test
    @Promise("TR-29")
    void whatCameHomeWithAnEarlierJobOfTheDirectoryIsNoLossWhenABoxIsReleased() throws Exception {
        String reply = sh(OwnFile.text(BoxScript.class, "box.sh")
                        + OwnFile.text(BoxScript.class, "care.sh")
                        + """
                cd %s
                mkdir -p jobs/one/attempt-1 jobs/two/attempt-1 results
                : >jobs/one/attempt-1/exit
                : >jobs/two/attempt-1/exit
                echo "tao_results=%s/results" >jobs/one/settings
                cp jobs/one/settings jobs/two/settings
                echo 1 >results/model.pth
                echo 2 >results/new.pth
                (cd results && sha256sum ./model.pth) >jobs/one/home
                tao_base=%s
                tao_proof
                """.formatted(directory, directory, directory))
                .text();

        assertThat(reply).isEqualTo("away one ./new.pth\naway two ./new.pth\n");
    }

    @Test
    void anOpenDeviceIsToldByTheIndexOfItsGpuAndNotByItsMinorNumber() throws Exception {
        String reply = sh(OwnFile.text(BoxScript.class, "box.sh") + """
                tao_open <<'X'
                gpu 0 GPU-a 0
                gpu 1 GPU-b 0
                GPU UUID: \t GPU-a
                Device Minor: \t 5
                GPU UUID: \t GPU-b
                Device Minor: \t 0
                GPU UUID: \t GPU-of-somebody-else
                Device Minor: \t 1
                /proc/self/fd:
                lrwx------ 1 tao tao 64 Nov 21 10:00 7 -> /dev/nvidia5
                lrwx------ 1 tao tao 64 Nov 21 10:00 8 -> /dev/nvidia5
                /proc/1/fd:
                lrwx------ 1 tao tao 64 Nov 21 10:00 7 -> /dev/nvidia0
                lrwx------ 1 tao tao 64 Nov 21 10:00 9 -> /dev/nvidiactl
                lrwx------ 1 tao tao 64 Nov 21 10:00 9 -> /dev/nvidia1
                X
                """).text();

        assertThat(reply.lines().map(line -> line.replaceFirst(" [^ ]+$", "")))
                .containsExactly("open 0 self", "open 1 1");
    }

    @Test
    void aGpuThatTheDesktopAloneHoldsIsFree() throws Exception {
        String reply = sh(OwnFile.text(BoxScript.class, "box.sh") + """
                tao_free <<'X'
                gpu 0 GPU-a 1800
                gpu 1 GPU-b 1800
                gpu 2 GPU-c 300
                app GPU-a 4242 600 /usr/bin/gnome-shell --wayland
                desk 0
                app GPU-c 77 300 /home/me/Xwayland-train
                app GPU-c 78 300 python3
                X
                """).text();

        assertThat(reply)
                .isEqualTo(
                        "free 0\nbusy 1 1800 MiB are used by a process that cannot be seen\nbusy 2 pid 78 (python3, 300 MiB)\n");
    }

    @Test
    void withoutMinorNumbersADeviceIsTakenForTheGpuOfThatIndex() throws Exception {
        String reply = sh(OwnFile.text(BoxScript.class, "box.sh") + """
                tao_open <<'X'
                gpu 1 GPU-b 0
                /proc/self/fd:
                lrwx------ 1 tao tao 64 Nov 21 10:00 7 -> /dev/nvidia1
                X
                """).text();

        assertThat(reply).startsWith("open 1 self ");
    }

    @Test
    void aJobWithoutSettingsIsNoProofThatNothingIsLost() throws Exception {
        Files.createDirectories(directory.resolve("jobs/half/attempt-1"));

        String reply = sh("tao_base=" + directory + "\n" + OwnFile.text(BoxScript.class, "box.sh")
                        + OwnFile.text(BoxScript.class, "poll.sh") + OwnFile.text(BoxScript.class, "care.sh")
                        + "tao_proof\necho end\n")
                .text();

        assertThat(reply).isEqualTo("away half settings\nend\n");
    }

    @Test
    void aCredentialFileThatIsGoneEndsTheJobWithItsName() throws Exception {
        Reply reply = sh(stages() + """
                tao_attempt=%s tao_credentials=%s/gone
                tao_prepare
                """.formatted(directory, directory));

        assertThat(reply.exitCode()).isEqualTo(78);
        assertThat(reply.err()).contains("the credential file " + directory + "/gone cannot be read");
        assertThat(BoxDiagnosis.read("exit record: 78 1 2\n", true).summary()).contains("credential file");
    }

    @Test
    void aBoxWithoutFlockEndsAJobThatHasToWaitInsteadOfLettingItWaitForEver() throws Exception {
        Reply reply = sh(stages() + """
                flock() { return 127; }
                tao_attempt=%s tao_base=%s tao_wanted=1 tao_most=0 tao_pause=0
                tao_acquire
                """.formatted(directory, directory));

        assertThat(reply.exitCode()).isEqualTo(73);
        assertThat(reply.err()).contains("flock");
    }

    @Test
    void flockIsAskedForWhateverTheJob() throws Exception {
        String script = preflight(Optional.empty());

        String answer = sh("command() { case $2 in flock) return 1 ;; *) return 0 ;; esac; }\n" + script)
                .text();

        assertThat(answer).contains("missing flock\n");
    }

    @Test
    void theRoomOfAFileSystemIsAskedForOnceThoughItChanges() throws Exception {
        String answer = sh("""
                df() {
                  echo x >>%s/asked
                  printf 'Filesystem 1024-blocks Used Available Capacity Mounted\\n/dev/a 9 9 %%s 9%%%% /mnt\\n' "$(wc -l <%s/asked)"
                }
                """.formatted(directory, directory) + preflight(Optional.empty()))
                .text();

        assertThat(answer.lines().filter(line -> line.startsWith("room "))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "lustre", "cifs", "smb2", "fuseblk", "gpfs", "ceph", "9p"})
    @Promise("GB-44")
    void aCredentialFileOnASharedFileSystemIsRefused(String kind) throws Exception {
        assertThat(credentials(kind)).contains("credentials lies on a shared file system\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext2/ext3", "xfs", "tmpfs", "overlayfs"})
    void aCredentialFileOnALocalDiskIsTaken(String kind) throws Exception {
        assertThat(credentials(kind)).contains("credentials ok\n");
    }

    private String credentials(String kind) throws Exception {
        Path file = Files.writeString(directory.resolve("credentials"), "A=1\n");
        String script = preflight(Optional.of(file.toString()));

        return sh("stat() { case $1 in -f) echo " + kind + " ;; *) echo 600 ;; esac; }\n" + script)
                .text();
    }

    private String preflight(Optional<String> credentials) {
        BoxPlaces places =
                new BoxPlaces(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), credentials);
        BoxPlace place = BoxPlace.of(new LocalTarget(
                "here", directory.toString(), new BoxSettings(places, BoxUsual.NETWORK, BoxUsual.RULES)));
        return BoxPreflight.script(place, JobSpec.of("true").build());
    }
}

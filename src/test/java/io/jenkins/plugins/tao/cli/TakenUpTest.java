package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.cli.input.JobChoice;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.JobStore;
import io.jenkins.plugins.tao.cli.jobs.PendingJob;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job is recorded before it is sent, so that a command line that dies takes no job with it. */
class TakenUpTest {
    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void setUp() {
        bench = new Bench(directory);
        bench.write("good.yaml", "target: fake\nname: good\ncommand: exit 0\n");
        bench.write("long.yaml", "target: fake\ncommand: stay\n");
    }

    private Path records() {
        return directory.resolve("home/.local/state/tao-run");
    }

    /** What a process leaves that died after its job was started and before the answer was recorded. */
    private void dieAfterSending(String file, String id) throws IOException {
        bench.backend().willAnswer();
        bench.tao("submit", file, "--id", id);
        Files.delete(records().resolve(id + ".json"));
        Assignment job = load(file, id);
        new JobStoreAt(records()).intend(job, id);
    }

    private Assignment load(String file, String id) {
        try {
            JobChoice choice = new JobChoice();
            choice.file = file;
            choice.id = java.util.Optional.of(id);
            return Assignment.load(choice, bench.surroundings());
        } catch (UsageException e) {
            throw new AssertionError(e);
        }
    }

    /** Writes the record of a sending. */
    private record JobStoreAt(Path directory) {
        void intend(Assignment job, String id) {
            try {
                new JobStore(directory).intend(new PendingJob(id, "fake", Bench.NOON.toString(), job.request()));
            } catch (UsageException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    @Promise("TR-04")
    void theRecordIsThereWhenTheTargetIsAskedAndItsIdWasPrinted() {
        bench.backend().willBeSeenBySubmit(key -> {
            assertThat(records().resolve(key + ".sending")).exists();
            assertThat(bench.err()).contains("[tao] sending " + key);
        });

        assertThat(bench.tao("submit", "good.yaml")).isEqualTo(0);

        assertThat(bench.backend().submitted()).hasSize(1);
        assertThat(records()).isDirectoryNotContaining("glob:**.sending");
    }

    @Test
    @Promise("TR-04")
    void aJobWhoseAnswerWasNeverRecordedIsListedAndFoundByWait() throws IOException {
        dieAfterSending("good.yaml", "cut-1");

        assertThat(bench.tao("list")).isEqualTo(0);
        assertThat(bench.out()).containsPattern("cut-1 +fake +sending");
        assertThat(bench.tao("status", "cut-1")).isEqualTo(2);
        assertThat(bench.err()).contains("'tao wait cut-1' finds it or sends it");

        assertThat(bench.tao("wait", "cut-1")).isEqualTo(0);
        assertThat(bench.out()).contains("[tao] cut-1 succeeded");
        assertThat(bench.backend().submitted()).hasSize(1);
        assertThat(bench.tao("list")).isEqualTo(0);
        assertThat(bench.out()).containsPattern("cut-1 +fake/1 +succeeded").doesNotContain("sending");
    }

    @Test
    @Promise("TR-04")
    void aJobThatWasRecordedAndNeverSentIsSentByWaitAsItWasAskedFor() {
        Assignment asked = load("good.yaml", "cut-2");
        new JobStoreAt(records()).intend(asked, "cut-2");
        bench.write("good.yaml", "target: fake\ncommand: exit 7\n");

        assertThat(bench.tao("wait")).isEqualTo(0);

        assertThat(bench.backend().submitted())
                .singleElement()
                .satisfies(spec -> assertThat(spec.command()).isEqualTo("exit 0"));
    }

    @Test
    @Promise("TR-04")
    void cancelEndsAJobWhoseAnswerWasNeverRecorded() throws IOException {
        dieAfterSending("long.yaml", "cut-3");

        assertThat(bench.tao("cancel", "cut-3")).isEqualTo(0);

        assertThat(bench.backend().cancelled()).hasSize(1);
        assertThat(bench.backend().submitted()).hasSize(1);
    }

    @Test
    @Promise("TR-04")
    void aRefusalLeavesNoRecord() {
        bench.backend().willRefuseSubmissions(new BackendException.Rejected("No such partition.", "Use batch."));

        assertThat(bench.tao("submit", "good.yaml", "--id", "refused-1")).isEqualTo(2);

        assertThat(bench.tao("list")).isEqualTo(0);
        assertThat(bench.out()).isEmpty();
    }

    @Test
    @Promise("TR-04")
    void aRefusalOfASecondRequestLeavesTheRecordOfTheFirst() throws IOException {
        dieAfterSending("long.yaml", "cut-4");
        bench.backend()
                .willReport(new Report(List.of(Report.Check.failed("input is there", "no /data", "Stage it first."))));

        assertThat(bench.tao("submit", "long.yaml", "--id", "cut-4")).isEqualTo(2);

        assertThat(bench.tao("list")).isEqualTo(0);
        assertThat(bench.out()).containsPattern("cut-4 +fake +sending");
    }

    @Test
    @Promise("TR-04")
    void nothingIsSentWhenTheRecordCannotBeWritten() throws IOException {
        Files.createDirectories(records().getParent());
        Files.writeString(records(), "a file in the place of the directory");

        assertThat(bench.tao("submit", "good.yaml")).isEqualTo(2);

        assertThat(bench.err()).contains("Nothing was sent, because the record of the job cannot be written to ");
        assertThat(bench.backend().submitted()).isEmpty();
    }

    @Test
    void theRecordOfASendingIsReadableByItsOwnerAlone() throws IOException {
        new JobStoreAt(records()).intend(load("good.yaml", "mode-1"), "mode-1");

        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(records().resolve("mode-1.sending"))))
                .isEqualTo("rw-------");
    }

    @Test
    void aDamagedRecordOfASendingIsNamed() throws IOException {
        Files.createDirectories(records());
        Files.writeString(records().resolve("torn-1.sending"), "{\"id\": \"to");

        assertThat(bench.tao("list")).isEqualTo(2);

        assertThat(bench.err()).contains("torn-1.sending cannot be read");
    }
}

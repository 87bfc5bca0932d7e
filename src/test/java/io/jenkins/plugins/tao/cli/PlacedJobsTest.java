package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.FakeType;
import io.jenkins.plugins.tao.cli.input.JobChoice;
import io.jenkins.plugins.tao.cli.jobs.JobStore;
import io.jenkins.plugins.tao.cli.jobs.PendingJob;
import io.jenkins.plugins.tao.cli.jobs.PlacedJob;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.placing.Placing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs with several targets, jobs after other jobs, and targets with limits, from the command line. */
class PlacedJobsTest {
    @TempDir
    Path directory;

    private final FakeType fake = new FakeType("fake");
    private final SimulatedCluster sim = new SimulatedCluster();
    private Bench bench;

    @BeforeEach
    void setUp() {
        bench = new Bench(directory, BackendTypes.of(fake, sim));
        bench.write("tao-targets.yaml", "targets: {fake: {backend: fake}, sim: {backend: sim}}");
        bench.write("two.yaml", "targets: [sim, fake]\nname: two\ncommand: exit 0\n");
        bench.write("other.yaml", "targets: [fake, sim]\nname: other\ncommand: exit 0\n");
    }

    private void simRefuses() {
        sim.fallSilent(new BackendException.Rejected("sim has no GPU.", "Plug one in."));
    }

    private Path record(String name) {
        return directory.resolve("home/.local/state/tao-run").resolve(name);
    }

    @Test
    @Promise("NS-13")
    void aTargetThatRefusesLeavesTheJobToTheNext() {
        simRefuses();

        assertThat(bench.tao("run", "two.yaml", "--id", "k")).isZero();

        assertThat(sim.submissions()).isZero();
        assertThat(fake.backend().submitted()).hasSize(1);
        assertThat(bench.out()).contains("sim does not run the job", "sim has no GPU");
        assertThat(bench.tao("wait", "k")).as("the id leads to where it went").isZero();
        assertThat(bench.out()).contains("k-t2 ended before");
    }

    @Test
    @Promise("NS-13")
    void theOrderIsThatOfTheFile() {
        assertThat(bench.tao("run", "other.yaml", "--id", "k")).isZero();

        assertThat(fake.backend().submitted()).hasSize(1);
        assertThat(sim.submissions()).isZero();
    }

    @Test
    @Promise("NS-13")
    void whatAllTargetsRefuseNamesEachRefusal() {
        simRefuses();
        fake.backend().willRefuseSubmissions(new BackendException.Rejected("No such partition.", "Name another."));

        assertThat(bench.tao("run", "two.yaml", "--id", "k")).isEqualTo(2);

        assertThat(bench.err())
                .contains("None of 2 targets runs the job.", "sim: sim has no GPU.", "fake: No such partition.");
        assertThat(record("k.sending")).doesNotExist();
    }

    @Test
    @Promise("NS-13")
    void aSendingWithoutAnAnswerIsLookedForWhereItWentAndNowhereElse() throws Exception {
        bench.tao("submit", "other.yaml", "--id", "k");
        JobChoice choice = new JobChoice();
        choice.file = "other.yaml";
        Placing begun = Placing.begin(new JobKey("k"), List.of("fake", "sim"), Optional.empty());
        JobStore store = new JobStore(record(""));
        PlacedJob killed = new PlacedJob(
                "k",
                Bench.NOON.toString(),
                choice.request(bench.surroundings()),
                begun.sending(begun.legs().get(0)).render());
        store.place(killed);
        Files.delete(record("k.json"));
        store.intend(new PendingJob("k", "fake", Bench.NOON.toString(), killed.request()));

        assertThat(bench.tao("list")).isZero();
        assertThat(bench.out()).contains("placing");
        bench.tao("wait", "k");

        assertThat(fake.backend().submitted()).as("found, not sent again").hasSize(1);
        assertThat(sim.submissions()).isZero();
    }

    @Test
    @Promise("NS-13")
    void aJobThatIsCancelledOnItsWayGoesNoFurther() throws Exception {
        JobChoice choice = new JobChoice();
        choice.file = "two.yaml";
        Placing begun = Placing.begin(new JobKey("k"), List.of("sim", "fake"), Optional.empty());
        new JobStore(record(""))
                .place(new PlacedJob(
                        "k",
                        Bench.NOON.toString(),
                        choice.request(bench.surroundings()),
                        begun.notThere(begun.legs().get(0), "It was full.").render()));

        assertThat(bench.tao("cancel", "k")).isZero();

        assertThat(bench.out()).contains("k was not sent and will not be");
        bench.tao("wait", "k");
        assertThat(fake.backend().submitted()).isEmpty();
    }

    @Test
    @Promise("NS-13")
    void aJobThatIsAskedForAgainUnderItsIdIsFoundWhereItWent() {
        simRefuses();
        bench.tao("submit", "two.yaml", "--id", "k");
        assertThat(fake.backend().submitted()).hasSize(1);
        sim.answerAgain();

        bench.tao("submit", "two.yaml", "--id", "k");

        assertThat(sim.submissions()).as("not beside the other target").isZero();
        assertThat(fake.backend().submitted()).hasSize(1);
    }

    @Test
    @Promise("NS-13")
    void aJobThatIsCancelledFromAnotherTerminalIsNotSentByTheProcessThatHasIt() {
        fake.backend().willRefuseSubmissions(new BackendException.Rejected("No such partition.", "Name another."));
        fake.backend().willBeSeenBySubmit(key -> cancelElsewhere("k"));

        assertThat(bench.tao("run", "other.yaml", "--id", "k")).isEqualTo(2);

        assertThat(bench.err()).contains("k goes no further. It was cancelled.");
        assertThat(sim.submissions()).isZero();
    }

    @Test
    @Promise({"NS-13", "NS-07"})
    void theCellsOfASweepAreFoundAndEndedOnWhicheverTargetTheyWentTo() {
        bench.write("sweep.yaml", """
                targets: [sim, fake]
                command: exit 0
                spec: {train: {seed: 7}}
                matrix: {env.CURVE: ['0.1 stay', '0.2 stay']}
                """);
        simRefuses();
        assertThat(bench.tao("submit", "sweep.yaml", "--id", "study")).isZero();
        assertThat(fake.backend().submitted()).hasSize(2);

        assertThat(bench.tao("sweep", "study")).isZero();
        assertThat(bench.out()).doesNotContain("not started");
        assertThat(bench.tao("cancel", "study")).as(bench.err()).isZero();

        assertThat(fake.backend().cancelled()).hasSize(2);
        assertThat(bench.tao("wait", "study")).isEqualTo(4);
        assertThat(bench.out()).doesNotContain("not started");
        assertThat(fake.backend().submitted()).hasSize(2);
    }

    private void cancelElsewhere(String id) {
        try {
            JobStore store = new JobStore(record(""));
            PlacedJob job = store.onItsWay(Optional.of(id)).orElseThrow();
            store.place(job.with(job.known().givenUp("It was cancelled.")));
        } catch (UsageException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Promise("NS-11")
    void aJobThatWaitsForAnotherIsWrittenDownBeforeItWaits() throws Exception {
        bench.write("train.yaml", "target: fake\nenv: {CURVE: 0.1 stay}\ncommand: exit 0\n");
        bench.write("evaluate.yaml", "target: fake\nafter: train-1\ncommand: exit 0\n");
        bench.tao("submit", "train.yaml", "--id", "train-1");
        Thread run = new Thread(() -> bench.tao("run", "evaluate.yaml", "--id", "evaluate-1"));
        run.start();

        Awaitility.await().until(() -> Files.exists(record("evaluate-1.placing")));

        assertThat(new JobStore(record("")).onItsWay(Optional.of("evaluate-1"))).isPresent();
        bench.interrupts.strike();
        run.join();
        assertThat(fake.backend().submitted()).hasSize(1);
    }

    @Test
    @Promise("NS-13")
    void aTargetAndTargetsAreOneTooMany() {
        bench.write("both.yaml", "target: fake\ntargets: [fake, sim]\ncommand: exit 0\n");

        assertThat(bench.tao("submit", "both.yaml")).isEqualTo(2);

        assertThat(bench.err()).contains("keep one of them");
    }

    @Test
    @Promise("NS-11")
    void aJobIsSentOnceTheJobBeforeHasSucceeded() {
        bench.write("train.yaml", "target: fake\ncommand: exit 0\n");
        bench.write("evaluate.yaml", "target: fake\nafter: train-1\ncommand: exit 0\n");
        bench.tao("submit", "train.yaml", "--id", "train-1");

        assertThat(bench.tao("run", "evaluate.yaml", "--id", "evaluate-1")).isZero();

        assertThat(bench.out()).contains("waits for fake/1 (train-1) to succeed");
        assertThat(fake.backend().submitted()).hasSize(2);
    }

    @Test
    @Promise("NS-11")
    void aJobAfterOneThatFailedIsNotSentAndSaysWhy() {
        bench.write("train.yaml", "target: fake\ncommand: exit 7\n");
        bench.write("evaluate.yaml", "target: fake\nafter: train-1\ncommand: exit 0\n");
        bench.tao("submit", "train.yaml", "--id", "train-1");

        assertThat(bench.tao("run", "evaluate.yaml")).isEqualTo(2);

        assertThat(bench.err())
                .contains("Nothing was sent: the job train-1 (fake/1)", "ended as failed", "exit code 7");
        assertThat(fake.backend().submitted()).hasSize(1);
    }

    @Test
    @Promise("NS-11")
    void aJobAfterAnUnknownOneIsRefusedBeforeAnythingIsSent() {
        bench.write("evaluate.yaml", "target: fake\nafter: nobody\ncommand: exit 0\n");

        assertThat(bench.tao("run", "evaluate.yaml")).isEqualTo(2);

        assertThat(bench.err()).contains("'after' names no known job", "nobody");
        bench.write("own.yaml", "target: fake\nafter: self\ncommand: exit 0\n");
        assertThat(bench.tao("run", "own.yaml", "--id", "self")).isEqualTo(2);
        assertThat(bench.err()).contains("cannot run after itself");
        assertThat(fake.backend().submitted()).isEmpty();
    }

    @Test
    @Promise("NS-14")
    void aTurnIsTakenBeforeAJobIsSentAndFreeOnceItHasEnded() throws Exception {
        bench.write("tao-targets.yaml", "targets: {fake: {backend: fake}}\nlimits:\n  - {target: fake, jobs: 1}\n");
        bench.write("job.yaml", "target: fake\ncommand: exit 0\n");

        assertThat(bench.tao("submit", "job.yaml", "--id", "one")).isZero();
        assertThat(Files.readString(record("turns/fake.json"))).contains("\"one\"", "tao1:");
        assertThat(bench.tao("run", "job.yaml", "--id", "two"))
                .as("the target is asked, and says that the first has ended")
                .isZero();

        assertThat(Files.readString(record("turns/fake.json")))
                .contains("\"two\"")
                .doesNotContain("\"one\"");
    }

    @Test
    @Promise("NS-14")
    void aWrongLimitIsNamed() {
        bench.write("tao-targets.yaml", "targets: {fake: {backend: fake}}\nlimits:\n  - {target: fake, rate: often}\n");
        bench.write("job.yaml", "target: fake\ncommand: exit 0\n");

        assertThat(bench.tao("submit", "job.yaml")).isEqualTo(2);

        assertThat(bench.err())
                .contains("tao-targets.yaml:3:26: 'rate': a rate is jobs by time, as in 10/m or 1/30s, was 'often'");
    }
}

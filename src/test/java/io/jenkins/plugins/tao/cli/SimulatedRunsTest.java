package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.simulated.SimulatedType;
import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.input.Sweeping;
import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Outcome.Cause;
import io.jenkins.plugins.tao.job.Outcome.Failed;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.ManualTicker;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.monitor.poll.Connections;
import io.jenkins.plugins.tao.monitor.poll.Monitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Job files on a place that plays them, under the real watch, on a clock that the test moves. */
class SimulatedRunsTest {
    private static final Path EXAMPLES = Path.of("docs/examples");

    @TempDir
    Path directory;

    private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-11-22T22:00:00Z"));
    private final SimulatedType type = new SimulatedType(ticker::now);
    private final List<JobEvent> events = new ArrayList<>();

    /** All job files of the documentation; what lists targets is none. */
    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.toString().contains("targets"))
                    .sorted()
                    .toList();
        }
    }

    /** The job file without what only its own target understands. */
    private static String rehearsed(Path file) throws IOException {
        return Files.readString(file).replaceFirst("(?m)^options:\\n(?:[ #].*\\n|\\n)+", "");
    }

    /** As if the code had been read before: the directory of the test has none. */
    private static final String CODE = "c0de".repeat(10);

    private Assignment load(String text) throws UsageException {
        Bench bench = new Bench(directory, BackendTypes.of(type));
        for (String name : List.of("HF_TOKEN", "WANDB_API_KEY", "NGC_KEY", "KAGGLE_KEY")) {
            bench.env.put(name, "value-of-" + name);
        }
        JobRequest request = new JobRequest(
                "job.yaml",
                text,
                directory.toString(),
                "simulated",
                "",
                List.of(),
                "",
                text.contains("git:") ? "" : CODE);
        Optional<Sweeping> sweep = Sweeping.of(request);
        JobRequest one = sweep.map(cells -> cells.parts().get(0).request()).orElse(request);
        return Assignment.load(one, Optional.of("job"), bench.surroundings());
    }

    private JobResult play(String text) throws Exception {
        Assignment job = load(text);
        Backend backend = type.open(job.target());
        assertThat(backend.preflight(job.spec()).failed()).isFalse();
        JobHandle handle = backend.submit(job.spec(), job.key())
                .withStartWithin(job.spec().resources().startWithin());
        Monitor monitor = new Monitor(
                new Connections(BackendTypes.of(type), ticker, Runnable::run, Controller.NONE), ticker, Runnable::run);
        monitor.watch(job.target(), handle, WatchPlan.defaults(), WatchMemory.none(), events::add);
        for (int i = 0; i < 300 && result().isEmpty(); i++) {
            ticker.advance(Duration.ofSeconds(10));
        }
        return result().orElseThrow();
    }

    private Optional<JobResult> result() {
        return events.stream()
                .filter(JobEvent.Ended.class::isInstance)
                .map(event -> ((JobEvent.Ended) event).result())
                .findFirst();
    }

    @ParameterizedTest
    @MethodSource("examples")
    @Promise("NV-34")
    void everyExampleOfTheDocumentationPlaysThrough(Path example) throws Exception {
        JobResult result = play(rehearsed(example));

        assertThat(result.outcome()).isInstanceOf(Outcome.Succeeded.class);
        assertThat(result.progress().kpis()).containsKey("val_mAP").containsKey("train_loss");
        assertThat(events).anyMatch(JobEvent.Advanced.class::isInstance).anyMatch(JobEvent.Lines.class::isInstance);
    }

    @Test
    @Promise("NV-34")
    void theExampleLosesItsNodeAndGoesOnElsewhere() throws Exception {
        JobResult result = play(Files.readString(EXAMPLES.resolve("simulated.yaml")));

        assertThat(result.outcome()).isInstanceOf(Outcome.Succeeded.class);
        assertThat(result.attempts())
                .singleElement()
                .satisfies(first -> assertThat(first.cause()).isEqualTo(Cause.NODE_FAILURE));
        assertThat(result.progress().kpis().get("val_mAP")).isBetween(0.40, 0.44);
    }

    @ParameterizedTest
    @Promise("NV-34")
    @CsvSource({
        "exit, PROGRAM, exit code 9",
        "gpu_memory, GPU_MEMORY, memory was too small",
        "out-of-memory, OUT_OF_MEMORY, ran out of memory",
        "time_limit, TIME_LIMIT, time limit"
    })
    void aPlannedFailureIsJudgedAsARealOne(String failure, Cause cause, String words) throws Exception {
        JobResult result = play("{command: dino train, options: {exitCode: 9, failure: " + failure + "}}");

        assertThat(result.outcome()).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.cause()).isEqualTo(cause);
            assertThat(failed.detail()).contains(words);
        });
    }

    @Test
    @Promise("NV-34")
    void aJobThatNeverStartsIsEndedWhenItsTimeToStartIsOver() throws Exception {
        JobResult result = play("{command: x, startWithin: 5m, options: {failure: never_starts}}");

        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.NOT_STARTED));
    }

    @Test
    @Promise("NV-34")
    void aStalledJobIsToldOfAndEndsAtItsTimeLimit() throws Exception {
        JobResult result = play("{command: x, time: 40m, options: {failure: stall}}");

        assertThat(events)
                .filteredOn(JobEvent.Notice.class::isInstance)
                .anySatisfy(event -> assertThat(event.toString()).contains("neither its logs nor status.json grew"));
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.TIME_LIMIT));
    }
}

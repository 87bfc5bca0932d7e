package io.jenkins.plugins.tao.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.cli.Bench;
import io.jenkins.plugins.tao.cli.Story;
import io.jenkins.plugins.tao.cli.terminal.OnInterrupt;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiveOutputTest {
    private static final String CLEAR = "\r\u001b[K";
    private static final Instant NOW = Story.BEGIN.plusSeconds(400);
    private static final JobEvent STARTED = new JobEvent.StatusChanged("PENDING", Story.RUNNING, Duration.ZERO);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private static StatusLine line(int width, boolean colours, JobEvent... events) {
        StatusLine line = new StatusLine(width, colours);
        for (JobEvent event : events) {
            line.on(event);
        }
        return line;
    }

    private LiveOutput output() {
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        return new LiveOutput(out, "bert-1", new Verbosity(false, true), new StatusLine(80, false));
    }

    private String printed() {
        String text = bytes.toString(StandardCharsets.UTF_8);
        bytes.reset();
        return text;
    }

    private static Surroundings terminal(String answer, Map<String, String> env, ByteArrayOutputStream err) {
        return new Surroundings(
                env,
                Path.of("/"),
                Path.of("/"),
                new Surroundings.Terminal(
                        true,
                        new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                Clock.fixed(NOW, ZoneOffset.UTC),
                BackendTypes.of(),
                HastyTicker::new);
    }

    @Test
    void theStatusLineTellsStateTimeAndProgress() {
        assertThat(line(100, false, STARTED, Story.ADVANCED).render(NOW))
                .isEqualTo("RUNNING  1m40s  epoch 7/50, train_loss 0.1235, eta 1h20m");
    }

    @Test
    void theStatusLineTellsSilence() {
        JobEvent silent = new JobEvent.Unreachable(NOW.minusSeconds(150), "No answer.", "Wait.");

        assertThat(line(100, false, STARTED, silent).render(NOW)).endsWith("  no response for 2m30s");
        assertThat(line(100, false, STARTED, silent, new JobEvent.Reachable(Duration.ofSeconds(150)))
                        .render(NOW))
                .doesNotContain("no response");
    }

    @Test
    void theStatusLineNeverFillsTheLastColumnForThereTheTerminalWraps() {
        assertThat(line(20, false, STARTED, Story.ADVANCED).render(NOW))
                .hasSize(19)
                .isEqualTo("RUNNING  1m40s  epo");
    }

    @Test
    void coloursCostNoWidthAndAreLeftOutWhereTheyAreNotRequested() {
        assertThat(line(20, true, STARTED, Story.ADVANCED).render(NOW))
                .isEqualTo("\u001b[1mRUNNING  1m40s  epo\u001b[0m");
        assertThat(terminal("", Map.of(), bytes).colours()).isTrue();
        assertThat(terminal("", Map.of("NO_COLOR", "1"), bytes).colours()).isFalse();
    }

    @Test
    void afterTheEndTheStatusLineIsGone() {
        JobEvent ended = Story.events().get(Story.events().size() - 1);

        StatusLine line = line(100, false, STARTED, ended);

        assertThat(line.render(NOW)).isEmpty();
        assertThat(line.last()).isEmpty();
    }

    @Test
    void logLinesScrollAboveTheStatusLineThatIsDrawnAgain() {
        LiveOutput output = output();
        output.on(STARTED);
        printed();

        output.tick(NOW);
        assertThat(printed()).isEqualTo(CLEAR + "RUNNING  1m40s");

        output.on(JobEvent.Lines.of(Stream.OUT, List.of("hello", "world")));
        assertThat(printed())
                .isEqualTo(
                        CLEAR + "hello" + System.lineSeparator() + "world" + System.lineSeparator() + "RUNNING  1m40s");

        output.close();
        assertThat(printed()).isEqualTo(CLEAR);
    }

    @Test
    void progressChangesTheStatusLineAndScrollsNothing() {
        LiveOutput output = output();
        output.on(STARTED);
        printed();

        output.on(Story.ADVANCED);
        output.tick(NOW);

        assertThat(printed())
                .doesNotContain(System.lineSeparator())
                .endsWith("epoch 7/50, train_loss 0.1235, eta 1h20m");
    }

    @ParameterizedTest
    @Promise("TR-69")
    @CsvSource({"c, CANCEL", "Cancel, CANCEL", "d, DETACH", "k, KEEP_WATCHING", "Keep watching, KEEP_WATCHING"})
    void eachClearAnswerDoesWhatTheQuestionSaysOfIt(String typed, Question.Answer answer) {
        assertThat(new Question(terminal(typed + "\n", Map.of(), bytes), output()).ask())
                .isEqualTo(answer);
        assertThat(printed()).contains("[d]etach: stop watching", "[c]ancel: end", "[k]eep watching");
    }

    @ParameterizedTest
    @Promise("TR-69")
    @ValueSource(strings = {"", "yes", "x"})
    void anUnclearAnswerIsAskedForAgainAndDoesNothing(String typed) {
        assertThat(new Question(terminal(typed + "\nk\n", Map.of(), bytes), output()).ask())
                .isEqualTo(Question.Answer.KEEP_WATCHING);
        assertThat(printed()).contains("Please type d, c or k.");
    }

    @Test
    void anInputThatHasEndedLeavesTheJobAlone() {
        assertThat(new Question(terminal("", Map.of(), bytes), output()).ask()).isEqualTo(Question.Answer.DETACH);
    }

    @Test
    @Promise("TR-69")
    void theQuestionStaysTheLastLineWhileTheLogGoesOn() {
        LiveOutput output = output();
        output.on(STARTED);
        output.asking("Which? ");
        printed();

        output.tick(NOW);
        assertThat(printed()).isEmpty();

        output.on(JobEvent.Lines.of(Stream.OUT, List.of("hello")));
        assertThat(printed()).isEqualTo(CLEAR + "hello" + System.lineSeparator() + "Which? ");

        output.answered();
        output.tick(NOW);
        assertThat(printed()).isEqualTo(CLEAR + "RUNNING  1m40s");
    }

    @Test
    @Promise("TR-69")
    void plainLinesRepeatTheQuestionBelowThem() {
        PlainOutput output = new PlainOutput(
                new PrintStream(bytes, true, StandardCharsets.UTF_8), "job", new Verbosity(false, true));
        output.asking("Which? ");
        printed();

        output.on(JobEvent.Lines.of(Stream.OUT, List.of("hello")));

        assertThat(printed().lines()).containsExactly("", "hello", "Which? ");
    }

    @Test
    void onATerminalCtrlCAsksAndElsewhereItDetaches(@TempDir Path directory) {
        Surroundings terminal = terminal("", Map.of(), bytes);
        Bench bench = new Bench(directory);

        assertThat(new WatchChoice().onInterrupt(terminal)).isEqualTo(OnInterrupt.ASK);
        assertThat(new WatchChoice().onInterrupt(bench.surroundings())).isEqualTo(OnInterrupt.DETACH);
    }
}

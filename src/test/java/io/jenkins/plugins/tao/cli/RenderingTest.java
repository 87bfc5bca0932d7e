package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Golden;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.JsonOutput;
import io.jenkins.plugins.tao.cli.output.PlainOutput;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenderingTest {
    private static final Verbosity ALL = new Verbosity(false, true);
    private static final Verbosity QUIET = new Verbosity(true, true);

    @TempDir
    Path directory;

    private static String told(Function<PrintStream, JobOutput> form) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        JobOutput output = form.apply(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        output.submitted(Story.FIRST, "a/b:1");
        for (JobEvent event : Story.events()) {
            output.on(event);
        }
        output.close();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static JobOutput json(PrintStream out, Verbosity verbosity) {
        return new JsonOutput(out, Clock.fixed(Story.BEGIN, ZoneOffset.UTC), verbosity, Optional.empty());
    }

    /** What the bench printed, without what differs from one machine and second to the next. */
    private String ran(String... arguments) {
        Bench bench = new Bench(directory);
        bench.write("good.yaml", "target: fake\nimage: a/b:1\ncommand: exit 0\narchive: train/*.pth\n");
        bench.write("bad.yaml", "target: fake\ncommand: exit 7\n");
        bench.tao(arguments);
        return bench.out()
                .replace(directory.toString(), "DIR")
                .replaceAll("\"endedAt\":\"[^\"]*\"", "\"endedAt\":\"TIME\"")
                .replaceAll("\"secondsBefore\":\\d+", "\"secondsBefore\":0");
    }

    @Test
    void everyEventHasItsLine() throws IOException {
        Golden.check("cli/story.txt", told(out -> new PlainOutput(out, "bert-1", ALL)));
    }

    @Test
    void everyEventHasItsObject() throws IOException {
        Golden.check("cli/story.jsonl", told(out -> json(out, ALL)));
    }

    @Test
    void quietTellsOnlyFaultsAndTheEnd() throws IOException {
        Golden.check("cli/story-quiet.txt", told(out -> new PlainOutput(out, "bert-1", QUIET)));
    }

    @Test
    void aRunThatSucceedsReadsSo() throws IOException {
        Golden.check("cli/run.txt", ran("run", "good.yaml", "--id", "good-1", "--interval", "1s"));
    }

    @Test
    void aRunThatSucceedsReadsSoAsJson() throws IOException {
        Golden.check("cli/run.jsonl", ran("run", "good.yaml", "--id", "good-1", "--interval", "1s", "--json"));
    }

    @Test
    void aRunThatFailsReadsSo() throws IOException {
        Golden.check("cli/run-failed.txt", ran("run", "bad.yaml", "--id", "bad-1", "--interval", "1s", "--no-log"));
    }

    @Test
    void jsonIsOneObjectALineAlsoForNumbersThatJsonDoesNotKnow() {
        assertThat(told(out -> json(out, ALL)).lines())
                .allMatch(line -> line.startsWith("{\"event\":\"") && line.endsWith("\"}"))
                .anyMatch(line -> line.contains("\"train_loss\":\"NaN\""));
    }
}

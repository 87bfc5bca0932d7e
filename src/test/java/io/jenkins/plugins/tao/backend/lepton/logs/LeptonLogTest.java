package io.jenkins.plugins.tao.backend.lepton.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.lepton.LeptonSimulator;
import io.jenkins.plugins.tao.backend.lepton.LeptonWorkspace;
import io.jenkins.plugins.tao.backend.lepton.SimulatedJob;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.view.LogCursor;
import io.jenkins.plugins.tao.backend.lepton.view.LogLine;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.GpuUse;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.status.MachineReader;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log as its store tells it: groups by replica, each newest first, several lines of one time. */
class LeptonLogTest extends LeptonWorkspace {
    private static final long START = 1_795_284_001_000_000_000L;

    private JobHandle job;
    private SimulatedJob simulated;

    @BeforeEach
    void submit() throws Exception {
        job = backend.submit(job("sleep 30").build(), key("log"));
        simulated = simulator.only();
    }

    private void logged(long at, int worker, String text) {
        simulated.log.add(new LogLine(START + at, worker, text));
    }

    private Optional<Tail> read(Stream stream, Position from) throws Exception {
        StreamRef ref = new StreamRef(job, stream);
        return Optional.ofNullable(backend.read(Map.of(ref, from)).get(ref));
    }

    private static String text(Tail tail) {
        return new String(tail.bytes(), UTF_8);
    }

    private String mark(String words) {
        return "@tao[" + job.key() + "] " + words;
    }

    @Test
    @Promise("LE-42")
    void theLastLinesComeInTheOrderTheyWereWritten() throws Exception {
        for (int i = 1; i <= 30; i++) {
            logged(i, i % 2, "line " + i);
        }
        try (LeptonApi api = new LeptonApi(simulator.target().build(), HttpSettings.defaults())) {
            List<LogLine> last = new LeptonLog(api).last(job, 4);

            assertThat(last).extracting(LogLine::text).containsExactly("line 27", "line 28", "line 29", "line 30");
        }
    }

    @Test
    @Promise({"NV-01", "NS-24", "NV-28"})
    void whatEachWorkerTellsOfItsGpusIsAStreamOfItsOwn() throws Exception {
        logged(1, 0, mark("machine node a"));
        logged(2, 1, mark("machine node b"));
        logged(3, 1, mark("machine gpu 0, NVIDIA H100, 535.104.05, 81559"));
        logged(4, 0, "zero");
        logged(5, 0, mark("machine use 1700000000 0,0,3"));
        logged(6, 1, mark("machine use 1700000001 0,97,40123"));

        String told = text(read(Stream.MACHINE, Position.START).orElseThrow());

        MachineReader.Told all = new MachineReader().take(told.lines().toList());
        assertThat(all.facts()).containsEntry("gpuType", "NVIDIA H100");
        assertThat(all.samples())
                .flatExtracting(GpuUse::gpus)
                .extracting(GpuUse.Gpu::name)
                .containsExactly("0", "1:0");
        assertThat(text(read(Stream.OUT, Position.START).orElseThrow())).isEqualTo("zero\n");
    }

    @Test
    void workersButTheFirstSayWhoTheyAre() throws Exception {
        logged(1, 0, "zero");
        logged(2, 1, "one");
        logged(3, 0, "zero again");

        assertThat(text(read(Stream.OUT, Position.START).orElseThrow()))
                .isEqualTo("zero\n[worker 1] one\nzero again\n");
    }

    @Test
    void eachLineIsToldOnceAlsoWhenSeveralHaveOneTime() throws Exception {
        logged(5, 0, "a");
        logged(5, 0, "b");
        Tail first = read(Stream.OUT, Position.START).orElseThrow();
        logged(5, 0, "c");
        logged(6, 0, "d");

        Tail second = read(Stream.OUT, first.next()).orElseThrow();

        assertThat(text(first) + text(second)).isEqualTo("a\nb\nc\nd\n");
        assertThat(read(Stream.OUT, second.next())).isEmpty();
    }

    @Test
    void aWorkerWhoseLinesComeLateIsNotForgotten() throws Exception {
        logged(1, 1, "one");
        logged(9_000_000_000L, 0, "zero");
        Tail first = read(Stream.OUT, Position.START).orElseThrow();
        logged(5_000_000_000L, 1, "late");

        assertThat(text(read(Stream.OUT, first.next()).orElseThrow())).isEqualTo("[worker 1] late\n");
    }

    private String toTheEnd() throws Exception {
        StringBuilder all = new StringBuilder();
        Optional<Tail> tail = read(Stream.OUT, Position.START);
        for (int reads = 0; tail.isPresent() && reads < 50; reads++) {
            all.append(text(tail.get()));
            tail = tail.get().more() ? read(Stream.OUT, tail.get().next()) : Optional.empty();
        }
        return all.toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {3_000, 9_000, 30_000})
    void aQuietWorkerDoesNotHoldUpTheOthersLines(int lines) throws Exception {
        long apart = 100_000_000_000L / lines; // all of it within the time in which late lines are waited for
        logged(1, 1, "one");
        IntStream.rangeClosed(1, lines).forEach(i -> logged(i * apart, 0, "line " + i));

        assertThat(toTheEnd().lines()).hasSize(lines + 1).endsWith("line " + lines);
    }

    @Test
    void aPageFullOfLinesOfOneTimeDoesNotHoldUpTheRest() throws Exception {
        logged(1, 1, "one");
        IntStream.rangeClosed(1, LeptonLog.PAGE + 100).forEach(i -> logged(5, 0, "burst " + i));
        logged(6, 0, "after");

        assertThat(toTheEnd().lines()).contains("burst " + (LeptonLog.PAGE - 1)).endsWith("after");
    }

    @Test
    void aWorkerWhoseLinesComeLateIsNotForgottenBehindAFullPage() throws Exception {
        logged(1, 1, "one");
        IntStream.rangeClosed(1, 5_000).forEach(i -> logged(i * 10_000_000L, 0, "line " + i));
        Tail tail = read(Stream.OUT, Position.START).orElseThrow();
        while (tail.more()) {
            tail = read(Stream.OUT, tail.next()).orElse(new Tail(new byte[0], tail.next(), false, false));
        }
        logged(49_000_000_000L, 1, "late");
        simulated.log.sort(Comparator.comparingLong(LogLine::at));

        assertThat(text(read(Stream.OUT, tail.next()).orElseThrow())).isEqualTo("[worker 1] late\n");
    }

    @Test
    void aLogOfManyPagesIsReadToItsEnd() throws Exception {
        IntStream.rangeClosed(1, LeptonLog.PAGE + 500).forEach(i -> logged(i, 0, "line " + i));
        StringBuilder all = new StringBuilder();

        Tail tail = read(Stream.OUT, Position.START).orElseThrow();
        assertThat(tail.more()).isTrue();
        all.append(text(tail));
        while (tail.more()) {
            tail = read(Stream.OUT, tail.next()).orElseThrow();
            all.append(text(tail));
        }

        assertThat(all.toString().lines()).hasSize(LeptonLog.PAGE + 500).endsWith("line 2500");
    }

    @Test
    void statusLinesAndTheExitMarkAreTakenOut() throws Exception {
        logged(1, 0, "before");
        logged(2, 0, "");
        logged(3, 0, mark("status {\"status\": \"RUNNING\"}"));
        logged(4, 0, "");
        logged(5, 0, "after an empty line of the command's own");
        logged(6, 0, "");
        logged(7, 0, mark("exit 0"));

        assertThat(text(read(Stream.OUT, Position.START).orElseThrow()))
                .isEqualTo("before\n\nafter an empty line of the command's own\n");
        assertThat(text(read(Stream.STATUS, Position.START).orElseThrow())).isEqualTo("{\"status\": \"RUNNING\"}\n");
    }

    @Test
    void theEndOfALogCanBeReadOnceMore() throws Exception {
        IntStream.rangeClosed(10, 19).forEach(i -> logged(i, 0, "line " + i));
        Position end = read(Stream.OUT, Position.START).orElseThrow().next();

        Tail again = read(Stream.OUT, new Position(end.file(), end.byteOffset() - 16))
                .orElseThrow();

        assertThat(text(again)).isEqualTo("line 18\nline 19\n");
        assertThat(again.next()).isEqualTo(end);
    }

    @Test
    void twoStreamsOfAJobCostOneQuestion() throws Exception {
        logged(1, 0, "x");
        simulator.calls.clear();

        backend.read(Map.of(
                new StreamRef(job, Stream.OUT), Position.START,
                new StreamRef(job, Stream.STATUS), Position.START,
                new StreamRef(job, Stream.ERR), Position.START));

        assertThat(simulator.calls).hasSize(1).allMatch(call -> call.startsWith("GET /logs?"));
    }

    private void refuse(int status) {
        simulator.fault = call -> call.equals("GET /logs")
                ? Optional.of(
                        LeptonSimulator.json(status, "{\"code\":\"InvalidRequest\",\"message\":\"no logs here\"}"))
                : Optional.empty();
    }

    @Test
    @Promise("TR-09")
    void theLogIsAskedAsLeptonsOwnClientAsks() throws Exception {
        logged(1, 0, "x");
        simulator.calls.clear();

        read(Stream.OUT, Position.START);

        assertThat(simulator.calls)
                .singleElement()
                .asString()
                .matches("GET /logs\\?job=.*&q=&start=\\d+&end=\\d+&limit=2000&direction=backward&timestamps=True");
    }

    @Test
    @Promise("TR-09")
    void aLogThatTheStoreRefusesComesFromItsWorkersAndGoesOn() throws Exception {
        refuse(400);
        logged(1, 0, "one");
        logged(2, 0, mark("status {\"status\": \"RUNNING\"}"));
        Tail first = read(Stream.OUT, Position.START).orElseThrow();
        Tail status = read(Stream.STATUS, Position.START).orElseThrow();
        logged(3, 0, "two");
        logged(4, 1, "of another worker");

        Tail second = read(Stream.OUT, first.next()).orElseThrow();

        assertThat(text(first) + text(second)).isEqualTo("one\ntwo\n");
        assertThat(text(status)).isEqualTo("{\"status\": \"RUNNING\"}\n");
        assertThat(read(Stream.OUT, second.next())).isEmpty();
        assertThat(text(read(Stream.OUT, new Position(second.next().file(), 4)).orElseThrow()))
                .isEqualTo("two\n");
    }

    @Test
    @Promise("TR-09")
    void linesThatAWorkerNoLongerShowsAreReportedMissing() throws Exception {
        refuse(400);
        simulated.shownLines = 3;
        IntStream.rangeClosed(1, 3).forEach(i -> logged(i, 0, "line " + i));
        Tail first = read(Stream.OUT, Position.START).orElseThrow();
        IntStream.rangeClosed(4, 5).forEach(i -> logged(i, 0, "line " + i));
        Tail second = read(Stream.OUT, first.next()).orElseThrow();
        IntStream.rangeClosed(6, 10).forEach(i -> logged(i, 0, "line " + i));

        assertThat(text(second)).isEqualTo("line 4\nline 5\n");
        assertThat(text(read(Stream.OUT, second.next()).orElseThrow()))
                .startsWith("tao: some lines are missing here")
                .endsWith("line 8\nline 9\nline 10\n");
    }

    @Test
    void aLogThatWasReadFromTheStoreIsNotBegunAnewElsewhere() throws Exception {
        logged(1, 0, "one");
        Tail first = read(Stream.OUT, Position.START).orElseThrow();
        refuse(400);
        logged(2, 0, "two");

        assertThat(read(Stream.OUT, first.next()).orElseThrow().gap()).isPresent();
        simulator.fault = call -> Optional.empty();
        assertThat(text(read(Stream.OUT, first.next()).orElseThrow())).isEqualTo("two\n");
    }

    @Test
    void aStreamThatFollowsInsteadOfHistoryIsNotWaitedFor() throws Exception {
        logged(1, 0, "shown by the worker");
        simulator.fault = call -> call.equals("GET /logs")
                ? Optional.of(new MockResponse.Builder()
                        .setHeader("Content-Type", "text/plain; charset=utf-8")
                        .body("never ending"))
                : Optional.empty();

        assertThat(text(read(Stream.OUT, Position.START).orElseThrow())).isEqualTo("shown by the worker\n");
    }

    @Test
    @Promise("TR-08")
    void aLogStoreThatAsksToWaitIsAskedNoMoreInThatRound() throws Exception {
        JobHandle other = backend.submit(job("sleep 30").build(), key("other"));
        simulator.fault = call -> call.equals("GET /logs")
                ? Optional.of(LeptonSimulator.json(429, "{}").setHeader("Retry-After", "7"))
                : Optional.empty();
        simulator.calls.clear();

        Map<StreamRef, Tail> tails = backend.read(Map.of(
                new StreamRef(job, Stream.OUT), Position.START, new StreamRef(other, Stream.OUT), Position.START));

        assertThat(tails.values()).hasSize(2).allMatch(tail -> tail.gap().isPresent() && tail.bytes().length == 0);
        assertThat(simulator.calls).hasSize(1);
    }

    @Test
    @Promise("TR-08")
    void aLogThatCannotBeReadIsAGapAtItsPlaceAndNoEmptyLog() throws Exception {
        logged(1, 0, "first\n");
        Position behind = read(Stream.OUT, Position.START).orElseThrow().next();
        simulator.fault = call -> call.startsWith("GET /logs") || call.contains("/replicas")
                ? Optional.of(LeptonSimulator.json(503, "{}"))
                : Optional.empty();

        Tail missed = read(Stream.OUT, behind).orElseThrow();

        assertThat(missed.gap()).isPresent();
        assertThat(missed.next()).isEqualTo(behind);
        assertThat(missed.more()).isFalse();
    }

    @Test
    void aPlaceInALogIsKeptAsText() {
        LogCursor cursor = LogCursor.parse(new Position("0=12.2,3=7.1@99~500", 99));

        assertThat(cursor.position()).isEqualTo(new Position("0=12.2,3=7.1@99~500", 99));
        assertThat(cursor.done(new LogLine(12, 0, ""), 2)).isTrue();
        assertThat(cursor.done(new LogLine(12, 0, ""), 3)).isFalse();
        assertThat(cursor.done(new LogLine(1, 5, ""), 1)).isFalse();
    }
}

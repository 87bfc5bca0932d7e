package io.jenkins.plugins.tao.backend.lepton;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.logs.LeptonLog;
import io.jenkins.plugins.tao.backend.lepton.view.LogLine;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobHandle;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Logs whose lines are too long for one answer, where answers of a megabyte stand for those of 32. */
class LeptonLongLogTest extends LeptonWorkspace {
    private static final long START = 1_795_284_001_000_000_000L;

    private JobHandle job;
    private SimulatedJob simulated;

    @BeforeEach
    void submit() throws Exception {
        job = backend.submit(job("sleep 30").build(), key("log"));
        simulated = simulator.only();
    }

    private void logged(long at, String text) {
        simulated.log.add(new LogLine(START + at, 0, text));
    }

    private static String text(Tail tail) {
        return new String(tail.bytes(), UTF_8);
    }

    private String toTheEndInShortAnswers(Position from, int atMost) throws Exception {
        try (LeptonApi api = new LeptonApi(
                simulator.target().build(), HttpSettings.defaults().maxBytes(1 << 20))) {
            StringBuilder all = new StringBuilder();
            simulator.calls.clear();
            Position at = from;
            for (boolean more = true; more; ) {
                Optional<Tail> tail = new LeptonLog(api).read(job, Stream.OUT, at);
                tail.ifPresent(news -> all.append(text(news)));
                more = tail.isPresent() && tail.get().more();
                at = tail.isPresent() ? tail.get().next() : at;
                assertThat(simulator.calls).hasSizeLessThan(atMost);
            }
            return all.toString();
        }
    }

    @Test
    @Promise("LE-42")
    void aPageThatIsTooLongForOneAnswerIsAskedForInParts() throws Exception {
        String much = "x".repeat(20_000);
        logged(1, "begun");
        StreamRef ref = new StreamRef(job, Stream.OUT);
        Position begun = Objects.requireNonNull(
                        backend.read(Map.of(ref, Position.START)).get(ref))
                .next(); // then there is no other way to the log
        IntStream.rangeClosed(1, 200).forEach(i -> logged(i * 1_000_000_000L, "line " + i + " " + much));

        String told = toTheEndInShortAnswers(begun, 200);

        assertThat(told.lines().map(line -> line.substring(0, line.lastIndexOf(' '))))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 200).mapToObj(i -> "line " + i).toList());
    }

    @Test
    @Promise("LE-42")
    void aLineThatIsTooLongForAnyAnswerIsNamedAndTheLogGoesOn() throws Exception {
        logged(1_000_000_000L, "before");
        logged(2_000_000_000L, "x".repeat(2 << 20));
        logged(3_000_000_000L, "after");
        logged(400_000_000_000L, "end");

        String told = toTheEndInShortAnswers(Position.START, 400);

        assertThat(told.lines())
                .containsExactly(
                        "before",
                        "tao: a line of this log is left out here: it is longer than an answer of the log store may be",
                        "after",
                        "end");
    }

    @Test
    void theLastLinesOfALogAreFewerWhereTheyAreTooLong() throws Exception {
        IntStream.rangeClosed(1, 100).forEach(i -> logged(i, "x".repeat(20_000) + i));
        try (LeptonApi api = new LeptonApi(
                simulator.target().build(), HttpSettings.defaults().maxBytes(1 << 20))) {
            List<LogLine> last = new LeptonLog(api).last(job, 100);

            assertThat(last).isNotEmpty();
            assertThat(last.get(last.size() - 1).text()).endsWith("x100");
        }
    }
}

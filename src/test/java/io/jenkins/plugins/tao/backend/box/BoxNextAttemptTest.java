package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.LossyHost;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A further attempt on a machine without a scheduler that breaks off anywhere: the next call finds it, and it runs once. */
class BoxNextAttemptTest {
    private static final JobKey KEY = new JobKey("again");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private BoxPlace place;
    private JobHandle one;

    @BeforeEach
    void anAttemptThatEnded() throws Exception {
        place = BoxPlace.of(new LocalTarget("here", temporary + "/tao", BoxUsual.SETTINGS));
        one = backend(new LocalHost())
                .submit(JobSpec.of("echo run >>{results_dir}/runs; exit 9").build(), KEY);
        end(one);
    }

    private BoxBackend backend(Host host) {
        return new BoxBackend(place, host);
    }

    private JobHandle next(Host host) throws BackendException {
        return backend(host).resubmit(one, Map.of(), Set.of());
    }

    private JobStatus end(JobHandle job) {
        return Awaitility.await()
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> Objects.requireNonNull(
                                backend(new LocalHost()).poll(Set.of(job)).get(job)),
                        status -> status.state() == JobState.ENDED);
    }

    private void runsOnceMore(JobHandle two) throws Exception {
        assertThat(two.attempt()).isEqualTo(2);
        assertThat(next(new LocalHost())).isEqualTo(two);
        assertThat(end(two).ending()).hasValue(Ending.FAILED);
        assertThat(Files.readString(Path.of(one.resultsDirectory(), "runs"))).isEqualTo("run\nrun\n");
        assertThat(end(one).exitCode()).hasValue(9);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Promise("TR-12")
    void anAttemptWhoseAnswerIsLostIsFound(int command) throws Exception {
        LossyHost lossy = new LossyHost(new LocalHost());
        lossy.loseReplies(number -> number == command);
        try {
            next(lossy);
        } catch (Unreachable e) {
            assertThat(lossy.commands()).isEqualTo(command);
        }

        runsOnceMore(next(new LocalHost()));
    }

    /** The lines of the script that start a command of its own. */
    static List<Integer> lines() {
        List<String> lines =
                BoxScript.resubmit("/jobs/again", 2, Map.of()).lines().toList();
        int begin = lines.indexOf("tao_seen=");
        return IntStream.range(begin, lines.size())
                .filter(line -> !lines.get(line).matches("fi|done|do|else|\\}|exit 3; \\}|(tail|\\[ -z).*"))
                .boxed()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("lines")
    @Promise("TR-12")
    void aScriptThatIsKilledBeforeAnyOfItsLinesIsTakenUp(int line) throws Exception {
        String begin = BoxScript.BOX.lines().findFirst().orElseThrow();
        Host killing = new ScriptHost(script -> {
            List<String> all = new ArrayList<>(script.lines().toList());
            all.add(all.indexOf(begin) + line, "kill -9 $$");
            return String.join("\n", all) + "\n";
        });
        try {
            next(killing);
        } catch (Unreachable e) {
            assertThat(e).hasMessageContaining("did not start");
        }

        runsOnceMore(next(new LocalHost()));
    }

    @Test
    void anAttemptIsTriedAgainWhileTheOneBeforeStillRuns() {
        Reply stillRuns = new Reply(4, new byte[0], "the attempt before still runs");

        assertThat(BoxRefusal.of(place, KEY, stillRuns)).isInstanceOf(Unreachable.class);
    }

    /** A host that changes the first script it runs. */
    private static final class ScriptHost implements Host {
        private final Host host = new LocalHost();
        private java.util.function.UnaryOperator<String> change;

        ScriptHost(java.util.function.UnaryOperator<String> change) {
            this.change = change;
        }

        @Override
        public Reply run(String script, Duration limit) throws BackendException {
            String changed = change.apply(script);
            change = text -> text;
            return host.run(changed, limit);
        }

        @Override
        public Reply send(String script, Feed feed, Duration limit) throws BackendException {
            return host.send(script, feed, limit);
        }

        @Override
        public Reply stream(String script, OutputStream sink, Duration limit) throws BackendException {
            return host.stream(script, sink, limit);
        }

        @Override
        public String name() {
            return host.name();
        }

        @Override
        public void close() {
            host.close();
        }
    }
}

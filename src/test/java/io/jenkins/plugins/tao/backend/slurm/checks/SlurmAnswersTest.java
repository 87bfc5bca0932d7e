package io.jenkins.plugins.tao.backend.slurm.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.slurm.Sample;
import io.jenkins.plugins.tao.backend.slurm.SlurmBackend;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class SlurmAnswersTest {
    private static final String WELL = """
            tao-login 0
            ada
            tao-tools 0
            tao-container 0
            --container-image=IMAGE
            tao-base 0
            /lustre
            tao-results 0
            /lustre
            tao-inputs 0
            tao-accepted 0
            tao-end 0
            """;

    private final AtomicInteger asked = new AtomicInteger();
    private final SlurmAnswers answers = new SlurmAnswers();

    private Reply reply(String text) {
        asked.incrementAndGet();
        return new Reply(0, text.getBytes(StandardCharsets.UTF_8), "");
    }

    @Test
    void jobsThatAskTheSameAtTheSameTimeShareOneAnswer() throws Exception {
        CountDownLatch underWay = new CountDownLatch(1);
        ExecutorService jobs = Executors.newFixedThreadPool(8);
        List<Future<Reply>> got = new ArrayList<>();

        for (int i = 0; i < 8; i++) {
            got.add(jobs.submit(() -> answers.ask("sinfo", script -> {
                Awaitility.await().until(() -> underWay.getCount() == 0);
                return reply("polar");
            })));
        }
        underWay.countDown();

        for (Future<Reply> each : got) {
            assertThat(each.get().text()).isEqualTo("polar");
        }
        assertThat(asked).hasValue(1);
        jobs.shutdown();
    }

    @Test
    void anotherQuestionIsAskedOfItsOwn() throws Exception {
        assertThat(answers.ask("a", this::reply).text()).isEqualTo("a");
        assertThat(answers.ask("b", this::reply).text()).isEqualTo("b");
        assertThat(answers.ask("a", this::reply).text()).isEqualTo("a");

        assertThat(asked).hasValue(2);
    }

    @Test
    void whatIsForgottenIsAskedAnew() throws Exception {
        answers.ask("a", script -> reply("old"));
        answers.forget();

        assertThat(answers.ask("a", script -> reply("new")).text()).isEqualTo("new");
    }

    @Test
    void aQuestionWithoutAnAnswerIsAskedAgain() throws Exception {
        assertThatThrownBy(() -> answers.ask("a", script -> {
                    throw new Unreachable("The connection broke.", "Wait.");
                }))
                .isInstanceOf(Unreachable.class);

        assertThat(answers.ask("a", this::reply).text()).isEqualTo("a");
    }

    @Test
    void aSweepOfManyQuestionsDoesNotFillTheMemory() throws Exception {
        for (int i = 0; i < 100; i++) {
            answers.ask("question " + i, this::reply);
        }
        asked.set(0);
        for (int i = 0; i < 100; i++) {
            answers.ask("question " + i, this::reply);
        }

        assertThat(asked.get()).isGreaterThan(80);
    }

    @Test
    void checksThatPassHoldForTheNextJobAndChecksThatFailDoNot() throws Exception {
        List<String> replies = new ArrayList<>(List.of(WELL.replace("tao-base 0", "tao-base 1"), WELL));
        SlurmBackend backend = new SlurmBackend(Sample.target().build(), new Scripted(replies));
        JobSpec spec = JobSpec.of("true").build();

        assertThat(backend.preflight(spec).failed()).isTrue();
        assertThat(backend.preflight(spec).failed()).isFalse();
        assertThat(backend.preflight(JobSpec.of("another command").build()).failed())
                .isFalse();

        assertThat(replies).isEmpty();
    }

    @Test
    @Promise("SL-11")
    void whichLoginHostStandsInIsToldWithTheState() throws Exception {
        JobHandle job = new JobHandle("dgx", "slurm", Sample.KEY, 1, "4711", "/lustre/tao", "/r", Instant.EPOCH);
        String queue = String.join(
                "\u001f", "4711", "RUNNING", "None", "gpu01", "0", "N/A", "0", SlurmLayout.jobName(Sample.KEY));
        Host host = new Scripted(new ArrayList<>(List.of("tao-squeue 0\n" + queue + "\ntao-end 0\n"))) {
            @Override
            public Optional<String> standIn() {
                return Optional.of("reached through login2");
            }
        };

        Map<JobHandle, JobStatus> found = new SlurmBackend(Sample.target().build(), host).poll(Set.of(job));

        assertThat(found)
                .hasSize(1)
                .allSatisfy((any, status) -> assertThat(status.notices()).containsExactly("reached through login2"));
    }

    /** Answers each script with the next of some replies. */
    private static class Scripted implements Host {
        private final List<String> replies;

        Scripted(List<String> replies) {
            this.replies = replies;
        }

        @Override
        public Reply run(String script, Duration limit) throws BackendException {
            return new Reply(0, replies.remove(0).getBytes(StandardCharsets.UTF_8), "");
        }

        @Override
        public Reply stream(String script, OutputStream sink, Duration limit) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public void close() {}
    }
}

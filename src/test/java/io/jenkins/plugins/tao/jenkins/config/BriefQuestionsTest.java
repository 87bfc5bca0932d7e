package io.jenkins.plugins.tao.jenkins.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BriefQuestionsTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BriefQuestions<String> questions = new BriefQuestions<>(threads, Duration.ofMillis(50));

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    @Timeout(600)
    @Promise("JK-11")
    void aSilentAddressHoldsNoFormAndItsLateAnswerIsGivenToTheNext() {
        CountDownLatch answers = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();

        assertThat(ask(answers, asked)).isEmpty();
        assertThat(ask(answers, asked)).isEmpty();
        answers.countDown();

        await().until(() -> ask(answers, asked).isPresent());
        assertThat(asked).hasValue(1);
    }

    @Test
    @Timeout(600)
    @Promise("JK-11")
    void anAnswerThatIsOlderThanAMinuteIsAskedForAnew() throws Exception {
        AtomicLong now = new AtomicLong();
        CountDownLatch answers = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        BriefQuestions<String> timed = new BriefQuestions<>(threads, Duration.ofMillis(50), now::get);
        assertThat(timed.ask("dgx", () -> {
                    answers.await();
                    return "old";
                }))
                .isEmpty();
        answers.countDown();
        threads.shutdown(); // its one question ends, and is kept
        assertThat(threads.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
        now.addAndGet(Duration.ofMinutes(2).toNanos());

        assertThatThrownBy(() -> timed.ask("dgx", () -> "asks " + asked.incrementAndGet()))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void whatFailedIsAskedAgain() {
        AtomicInteger asked = new AtomicInteger();
        BriefQuestions<String> patient = new BriefQuestions<>(threads, Duration.ofMinutes(1));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> patient.ask("dgx", () -> {
                        asked.incrementAndGet();
                        throw new IOException("no route");
                    }))
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("no route");
        }
        assertThat(asked).hasValue(2);
    }

    private Optional<String> ask(CountDownLatch answers, AtomicInteger asked) {
        try {
            return questions.ask("dgx", () -> {
                asked.incrementAndGet();
                answers.await();
                return "a100";
            });
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}

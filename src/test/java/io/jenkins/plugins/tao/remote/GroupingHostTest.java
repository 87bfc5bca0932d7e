package io.jenkins.plugins.tao.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupingHostTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int BUSY = 2;

    private final Gate gate = new Gate();
    private final GroupingHost host = new GroupingHost(gate);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        gate.open.release(1000);
        threads.shutdownNow();
    }

    @Test
    void aScriptThatComesAloneGoesAsItIs() throws Exception {
        gate.open.release();

        Reply reply = host.run("echo alone; exit 3", LIMIT);

        assertThat(gate.seen).containsExactly("echo alone; exit 3");
        assertThat(reply.text()).isEqualTo("alone\n");
        assertThat(reply.exitCode()).isEqualTo(3);
    }

    @Test
    void scriptsThatWaitGoTogetherAndEachHasItsOwnAnswer() {
        busy();
        CompletableFuture<Reply> one = ask("echo one; echo aside >&2; x=1; cd /nowhere || trap 'echo last' EXIT");
        CompletableFuture<Reply> two = ask("printf 'two %s \\377' \"${x:-unset}\"; exit 7 # bye");
        CompletableFuture<Reply> empty = ask("");
        await().until(() -> host.waiting() == 3);

        gate.open.release(1000);

        assertThat(one.join().text()).isEqualTo("one\nlast\n");
        assertThat(one.join().err()).startsWith("aside\n").contains("/nowhere");
        assertThat(one.join().ok()).isTrue();
        assertThat(two.join().out()).endsWith(' ', 0xFF).startsWith("two unset".getBytes(StandardCharsets.UTF_8));
        assertThat(two.join().exitCode()).isEqualTo(7);
        assertThat(empty.join().ok()).isTrue();
        assertThat(empty.join().out()).isEmpty();
        assertThat(gate.seen).hasSize(BUSY + 1);
    }

    @Test
    void aScriptThatEndsThemAllLeavesTheFateOfEachOpen() {
        busy();
        CompletableFuture<Reply> first = ask("echo first");
        await().until(() -> host.waiting() == 1);
        CompletableFuture<Reply> killer = ask("kill -KILL $$");
        await().until(() -> host.waiting() == 2);

        gate.open.release(1000);

        assertThatThrownBy(first::join).hasCauseInstanceOf(Unreadable.class);
        assertThatThrownBy(killer::join).hasMessageContaining("An answer to 2 requests at once breaks off after 1");
    }

    @Test
    void aConnectionThatBreaksOffIsToldToAllOfAGroup() {
        busy();
        List<CompletableFuture<Reply>> answers = List.of(ask("echo 1"), ask("echo 2"));
        await().until(() -> host.waiting() == 2);

        gate.cut = true;
        gate.open.release(1000);

        assertThat(answers)
                .allSatisfy(answer -> assertThatThrownBy(answer::join).hasCause(gate.failure));
    }

    @Test
    void aLongScriptGoesAlone() {
        busy();
        List<CompletableFuture<Reply>> answers =
                List.of(ask("echo short"), ask(":" + " ".repeat(1 << 20)), ask("echo other"), ask("echo last"));
        await().until(() -> host.waiting() == answers.size());

        gate.open.release(1000);

        assertThat(answers).allMatch(answer -> answer.join().ok());
        assertThat(gate.seen.stream().mapToInt(String::length).sorted().toArray())
                .as("nothing was put around the long one")
                .endsWith((1 << 20) + 1);
    }

    @Test
    void manyScriptsTakeFewSessions() {
        busy();
        List<CompletableFuture<Reply>> answers =
                IntStream.range(0, 100).mapToObj(i -> ask("echo " + i)).toList();
        await().until(() -> host.waiting() == 100);

        gate.open.release(1000);

        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).join().text()).isEqualTo(i + "\n");
        }
        assertThat(gate.seen).hasSizeLessThanOrEqualTo(BUSY + 7);
    }

    @Test
    void aThreadThatIsInterruptedTakesItsScriptBack() throws Exception {
        busy();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                host.run("echo never", LIMIT);
            } catch (BackendException e) {
                failure.set(e);
            }
        });
        thread.start();
        await().until(() -> host.waiting() == 1);

        thread.interrupt();
        thread.join();
        gate.open.release(1000);

        assertThat(failure.get()).isInstanceOf(Unreachable.class).hasMessageContaining("interrupted");
        assertThat(host.waiting()).isZero();
        assertThat(ask("echo next").join().text()).isEqualTo("next\n");
        assertThat(gate.seen).noneMatch(script -> script.contains("never"));
    }

    /** Takes all the sessions that groups may have, so that what comes next has to wait. */
    private void busy() {
        for (int i = 0; i < BUSY; i++) {
            var unused = ask("echo busy");
            int sent = i + 1;
            await().until(() -> gate.seen.size() == sent);
        }
    }

    private CompletableFuture<Reply> ask(String script) {
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                answer.complete(host.run(script, LIMIT));
            } catch (BackendException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** This machine, once it is let through. */
    private static final class Gate implements Host {
        final List<String> seen = new CopyOnWriteArrayList<>();
        final Semaphore open = new Semaphore(0);
        final Unreachable failure = new Unreachable("cut", "try again");
        volatile boolean cut;
        private final LocalHost here = new LocalHost();

        @Override
        public Reply run(String script, Duration limit) throws BackendException {
            seen.add(script);
            open.acquireUninterruptibly();
            if (cut) {
                throw failure;
            }
            return here.run(script, limit);
        }

        @Override
        public Reply stream(String script, OutputStream sink, Duration limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String name() {
            return here.name();
        }

        @Override
        public void close() {
            here.close();
        }
    }
}

package io.jenkins.plugins.tao.backend.slurm.checks;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Answers to questions that many jobs ask alike, until told to forget: one job asks, the others take its answer. */
public final class SlurmAnswers {
    private static final int MOST = 16;

    private final Map<String, CompletableFuture<Reply>> answers = new HashMap<>();

    /** The answer to {@code script}: the one at hand, the one that is on its way, or else a new one. */
    public Reply ask(String script, SlurmPreflight.Shell shell) throws BackendException {
        CompletableFuture<Reply> mine = new CompletableFuture<>();
        CompletableFuture<Reply> first = claim(script, mine);
        if (first != mine) {
            return await(first);
        }
        try {
            mine.complete(shell.run(script));
        } catch (BackendException | RuntimeException | Error e) {
            forget();
            mine.completeExceptionally(e);
        }
        return await(mine);
    }

    public synchronized void forget() {
        answers.clear();
    }

    private synchronized CompletableFuture<Reply> claim(String script, CompletableFuture<Reply> mine) {
        if (answers.size() >= MOST && !answers.containsKey(script)) {
            answers.clear();
        }
        return answers.computeIfAbsent(script, any -> mine);
    }

    private static Reply await(CompletableFuture<Reply> answer) throws BackendException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BackendException told) {
                throw told;
            }
            throw new IllegalStateException("a question to Slurm failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unreachable("The checks were interrupted.", "Try again.", e);
        }
    }
}

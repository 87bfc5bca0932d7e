package io.jenkins.plugins.tao.jenkins.config;

import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Makes the checks of a job that nobody wants to run, over a connection of its own: it shares none with the watches of
 * the same target, and leaves none open.
 */
final class ConnectionTrial {
    private static final Logger LOGGER = Logger.getLogger(ConnectionTrial.class.getName());
    private static final String NAME = "connection";
    /** Checks that speak of the job alone, which an administrator did not ask for. */
    private static final Set<String> OF_THE_JOB =
            Set.of("image", "results", "model credentials", "time", "inputs", "secrets", "command");

    private final BackendTypes types;
    private final ExecutorService threads;
    private final Duration patience;

    /** Waits for an answer as long as {@code patience}; {@code threads} take what may block. */
    ConnectionTrial(BackendTypes types, ExecutorService threads, Duration patience) {
        this.types = types;
        this.threads = threads;
        this.patience = patience;
    }

    /** What {@code target} says to {@code job}; nothing is thrown, and nothing is started. */
    List<Check> of(Target target, JobSpec job) {
        Future<Report> answer = threads.submit(() -> ask(target, job));
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS).checks().stream()
                    .filter(check -> check.verdict() == Verdict.FAILED || !OF_THE_JOB.contains(check.name()))
                    .toList();
        } catch (TimeoutException e) {
            return failed(
                    "no answer from '" + target.name() + "' in " + patience.toSeconds() + " s",
                    "Check the address and the network between Jenkins and it.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed("the test was interrupted", "Test again.");
        } catch (ExecutionException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not test the connection of '" + target.name() + "'");
            return failed("the test itself failed: " + e.getCause(), "See the log of Jenkins.");
        } finally {
            answer.cancel(true); // ends a test that still waits; it closes its connection on its way out
        }
    }

    private Report ask(Target target, JobSpec job) {
        try (Backend backend = types.of(target).open(target)) {
            return backend.preflight(job);
        } catch (BackendException e) {
            return new Report(failed(String.valueOf(e.getMessage()), e.remedy()));
        }
    }

    private static List<Check> failed(String detail, String remedy) {
        return List.of(Check.failed(NAME, detail, remedy));
    }
}

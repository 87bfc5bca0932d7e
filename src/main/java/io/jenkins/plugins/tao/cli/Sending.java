package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.job.JobHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Submits one job and remembers it. */
final class Sending {
    private final Session session;
    private final JobOutput output;

    Sending(Session session, JobOutput output) {
        this.session = session;
        this.output = output;
    }

    /** Sends it; empty when Ctrl-C came before an answer. */
    Optional<JobEntry> send(Assignment job) throws UsageException, InterruptedException {
        CompletableFuture<JobHandle> sending =
                session.dispatcher().submit(job.target(), job.spec(), job.key(), false, observer());
        Optional<JobHandle> handle = new Waiting(session, output).until(sending, () -> {
            sending.cancel(true);
            session.here()
                    .err()
                    .println("Left before the target answered: the job may have been started."
                            + " The same command with --id " + job.key() + " finds it instead of starting it twice.");
            return false;
        });
        if (handle.isEmpty()) {
            return Optional.empty();
        }
        JobEntry entry = job.entry(handle.get());
        session.store().save(entry);
        output.submitted(handle.get(), job.spec().image().orElse(""));
        return Optional.of(entry);
    }

    private SubmitObserver observer() {
        return new SubmitObserver() {
            @Override
            public void checked(Report report) {
                output.checked(report);
            }

            @Override
            public void delayed(String what, Duration next) {
                output.delayed(what, next);
            }
        };
    }
}

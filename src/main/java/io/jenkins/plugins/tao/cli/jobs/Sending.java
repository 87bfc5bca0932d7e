package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.CodeStore;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.dispatch.SubmitObserver;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.nodes.NodeAvoidance;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Submits one job: records that it is being sent, sends it, records the answer. Whatever moment the process is killed at, a
 * job that was started has one of the two records.
 */
public final class Sending implements Submitting {
    private static final Duration IMPATIENT = Duration.ofSeconds(30);

    private final Session session;
    private final JobOutput output;
    private final Assignment job;
    private final boolean patient;
    private final AtomicReference<@Nullable UsageException> unrecorded = new AtomicReference<>();
    /** Whether a request before this one has no answer: its record was there already. */
    private final AtomicBoolean sentBefore = new AtomicBoolean();

    private final Set<String> failedChecks = new ConcurrentSkipListSet<>();
    private final RunOrigin origin;
    private final Bookkeeping bookkeeping;
    private final CompletableFuture<JobHandle> answer;

    private Sending(
            Session session, JobOutput output, Assignment job, RunOrigin origin, boolean resumed, boolean patient) {
        this.patient = patient;
        this.session = session;
        this.output = output;
        this.job = job;
        this.origin = origin;
        bookkeeping = new Bookkeeping(session, output::note);
        sentBefore.set(session.store().isPending(job.key()));
        answer = session.dispatcher().submit(job.target(), job.spec(), job.key(), resumed, new Observer());
    }

    /** Begins to send it; returns at once. */
    static Sending start(Session session, JobOutput output, Assignment job) {
        return start(session, output, job, CodeVersion.origin(session.here(), job));
    }

    /** The same for a job whose origin is known. */
    static Sending start(Session session, JobOutput output, Assignment job, RunOrigin origin) {
        return new Sending(session, output, job, origin, false, true);
    }

    /** Begins to find the job that {@code pending} may have started, or to start it. */
    public static Sending takeUp(Session session, JobOutput output, PendingJob pending) throws UsageException {
        Assignment job = Assignment.load(pending.request(), Optional.of(pending.id()), session.here());
        output.note(
                pending.id() + " was being sent at " + pending.at() + ", and no answer is recorded; looking for it on "
                        + job.target().name());
        return new Sending(session, output, job, CodeVersion.origin(session.here(), job), true, true);
    }

    /**
     * Begins to send a job for somebody who does not wait at a terminal.
     *
     * @param resumed whether an earlier process may have sent it
     * @param patient whether a target is waited for that does not answer though nothing was sent
     */
    static Sending of(Session session, JobOutput output, Assignment job, boolean resumed, boolean patient) {
        return new Sending(session, output, job, CodeVersion.origin(session.here(), job), resumed, patient);
    }

    /** The job once its answer is recorded; a failure is recorded too. */
    CompletableFuture<JobHandle> recorded() {
        return answer.handle((handle, failure) -> {
            try {
                if (failure == null) {
                    record(handle);
                    return handle;
                }
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                throw new CompletionException(refused(new Waiting.Failed(cause)).getCause());
            } catch (UsageException e) {
                throw new CompletionException(e);
            }
        });
    }

    private JobEntry record(JobHandle handle) throws UsageException {
        JobEntry entry = job.entry(handle);
        session.store().save(entry);
        session.store().forget(job.key());
        new KeptRequest(session, entry).keep(job, handle, origin, output);
        return entry;
    }

    @Override
    public void whenAnswered(Runnable then) {
        var unused = answer.whenComplete((handle, failure) -> then.run());
    }

    @Override
    public boolean answered() {
        return answer.isDone();
    }

    /** Waits for the answer and records it; empty when Ctrl-C came before. */
    @Override
    public Optional<Sent> await() throws UsageException, InterruptedException {
        Optional<JobHandle> handle;
        try {
            handle = new Waiting(session, output).until(answer, this::leave);
        } catch (Waiting.Failed | CancellationException e) {
            RuntimeException failed = refused(e);
            throw failedChecks.isEmpty() ? failed : new Waiting.Failed(checksFailed());
        }
        if (handle.isEmpty()) {
            return Optional.empty();
        }
        JobEntry entry = record(handle.get());
        output.submitted(handle.get(), job.spec().image().orElse(""));
        return Optional.of(new Sent(entry, job));
    }

    /** The checks were shown with their remedies: their names are enough here. */
    private BackendException checksFailed() {
        return new BackendException.Rejected(
                "Nothing was sent to '" + job.target().name() + "', because checks failed: "
                        + String.join(", ", failedChecks) + ".",
                "");
    }

    /** What was sent, and what the target made of it. */
    public record Sent(JobEntry entry, Assignment job) {}

    private boolean leave() {
        answer.cancel(true);
        boolean sent = session.store().isPending(job.key());
        if (!sent) {
            bookkeeping.release(job, origin);
        }
        session.err()
                .println(
                        sent
                                ? "Left before the target answered: the job may have been started. 'tao wait "
                                        + job.key() + "' finds it or sends it, 'tao cancel " + job.key() + "' ends it."
                                : "Left before anything was sent.");
        return false;
    }

    /**
     * A target that refuses has started nothing by this request. An earlier one, of this process or of one that was killed, may
     * have started the job: then the record stays.
     */
    private RuntimeException refused(RuntimeException failed) throws UsageException {
        UsageException cause = unrecorded.get();
        if (cause != null) {
            throw cause;
        }
        boolean refusal = failed.getCause() instanceof BackendException.Rejected
                || failed.getCause() instanceof BackendException.Denied;
        if (refusal && !sentBefore.get()) {
            session.store().forget(job.key());
        }
        if (!session.store().isPending(job.key())) {
            bookkeeping.release(job, origin);
        }
        return failed;
    }

    /** Whether it is recorded that the job is being sent; else it is not. */
    private boolean record() {
        if (session.store().isPending(job.key())) {
            sentBefore.set(true);
        }
        try {
            session.store()
                    .intend(new PendingJob(
                            job.key().value(),
                            job.target().name(),
                            session.now().toString(),
                            job.request()));
            output.sending(job.key());
            return true;
        } catch (UsageException e) {
            unrecorded.set(e);
            return false;
        }
    }

    private Set<String> failedNodes() {
        Set<String> nodes = new LinkedHashSet<>(Confirming.avoided(job.request()));
        nodes.addAll(new NodeAvoidance(
                        session.here().avoidedNodes(),
                        job.target(),
                        session.here().clock(),
                        output::note)
                .forSubmission());
        return nodes;
    }

    /** What a submission asks of, and tells, this terminal. */
    private final class Observer implements SubmitObserver {
        @Override
        public void checked(Report report) {
            output.checked(report);
            report.checks().stream()
                    .filter(check -> check.verdict() == Report.Verdict.FAILED)
                    .map(Report.Check::name)
                    .forEach(failedChecks::add);
        }

        @Override
        public Optional<SourceTree> code() {
            return job.code().map(SourceTree.class::cast);
        }

        @Override
        public void delivered(CodeStore.Delivery delivery) {
            output.note("the code is in " + delivery.path() + ": " + Sentences.count(delivery.files(), "file") + ", "
                    + delivery.sentBytes() + " bytes sent");
            job.code().ifPresent(files -> files.listing().notes().lines().forEach(output::note));
        }

        @Override
        public List<Report.Check> checks(boolean passed) {
            List<Report.Check> checks = new ArrayList<>(job.unsent());
            checks.addAll(bookkeeping.checks(job, origin, passed));
            return checks;
        }

        @Override
        public Set<String> avoided() {
            return failedNodes();
        }

        @Override
        public Duration patienceBefore(Duration usual) {
            return patient ? usual : IMPATIENT;
        }

        @Override
        public boolean sending() {
            return record();
        }

        @Override
        public void delayed(String what, Duration next) {
            output.delayed(what, next);
        }
    }
}

package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cost.Usage;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.placing.Next;
import io.jenkins.plugins.tao.placing.Order;
import io.jenkins.plugins.tao.placing.Placer;
import io.jenkins.plugins.tao.placing.Placing;
import io.jenkins.plugins.tao.record.AskedRun;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Submits one job that names several targets or a job to run after, or whose target has limits. It is written down before each step,
 * so that {@code tao wait} goes on with it whatever moment the process was killed at.
 */
public final class PlacedSending implements Submitting {
    private final Session session;
    private final JobOutput output;
    private final CliPlace door;
    private final Placer placer;
    private final String id;

    private PlacedSending(Session session, JobOutput output, PlacedJob job, Assignment first, boolean resumed) {
        this.session = session;
        this.output = output;
        id = job.id();
        door = new CliPlace(session, output, job, first);
        placer = Placer.start(
                door,
                job.known(),
                resumed,
                session.dispatcher().ticker(),
                session.dispatcher().calls());
    }

    /** Whether a job needs it. */
    static boolean wants(Assignment job) {
        return targets(job).size() > 1
                || job.file().after().isPresent()
                || targets(job).stream()
                        .anyMatch(name -> !job.accounting().limits(name).isEmpty());
    }

    private static List<String> targets(Assignment job) {
        boolean several =
                job.request().target().isEmpty() && !job.file().targets().isEmpty();
        return several ? job.file().targets() : List.of(job.target().name());
    }

    /**
     * Begins, or goes on with a job that was asked for under this id before; returns at once. All targets are read first, and the job to
     * run after is looked up.
     *
     * @throws UsageException if one of them cannot be used: then nothing is sent
     */
    static PlacedSending start(Session session, JobOutput output, Assignment job) throws UsageException {
        Optional<PlacedJob> before = session.store().placed(job.key().value());
        if (before.isPresent() && !(before.get().known().next() instanceof Next.Nowhere)) {
            return takeUp(
                    session, output, before.get()); // asked anew, the first target would take it beside another one
        }
        Optional<JobHandle> parent = parent(session, job);
        List<String> targets = targets(job);
        for (String target : targets) {
            Assignment unused = Assignment.load(
                    job.request().on(target), Optional.of(job.key().value()), session.here());
        }
        List<String> ordered =
                job.file().targetOrder().orElse(Order.GIVEN).of(targets, target -> expectedWait(session, job, target));
        try {
            Placing placing = Placing.begin(job.key(), ordered, parent);
            PlacedJob placed =
                    new PlacedJob(job.key().value(), session.now().toString(), job.request(), placing.render());
            session.store().place(placed); // it may wait long before it is sent
            return new PlacedSending(session, output, placed, job, false);
        } catch (IllegalArgumentException e) {
            throw new UsageException(job.request().file() + ": " + e.getMessage() + ".", e);
        }
    }

    private static Optional<JobHandle> parent(Session session, Assignment job) throws UsageException {
        Optional<String> after = job.file().after();
        if (after.isEmpty()) {
            return Optional.empty();
        }
        if (after.get().strip().equals(job.key().value())) {
            throw new UsageException(job.request().file() + ": the job '" + job.key() + "' cannot run after itself.");
        }
        try {
            return Optional.of(session.store().resolve(after, session.here()).handle());
        } catch (UsageException e) {
            throw new UsageException(job.request().file() + ": 'after' names no known job. " + e.getMessage(), e);
        }
    }

    private static OptionalDouble expectedWait(Session session, Assignment job, String target) {
        AskedRun asked = new AskedRun(
                job.key().value(),
                target,
                CodeVersion.origin(session.here(), job),
                session.now(),
                job.spec().resources());
        try {
            return session.here()
                    .ledger()
                    .waitsBefore(asked.record(Usage.GOING))
                    .half();
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }

    /** Goes on where an earlier process was. */
    static PlacedSending takeUp(Session session, JobOutput output, PlacedJob job) throws UsageException {
        if (job.isOpen()) {
            output.note(job.id() + " was asked for at " + job.at() + " and is not placed yet; going on with it");
        }
        Assignment first = Assignment.load(firstRequest(job), Optional.of(job.id()), session.here());
        return new PlacedSending(session, output, job, first, true);
    }

    private static JobRequest firstRequest(PlacedJob job) {
        return job.request().on(job.known().legs().get(0).target());
    }

    @Override
    public void whenAnswered(Runnable then) {
        var unused = placer.result().whenComplete((job, failure) -> then.run());
    }

    @Override
    public boolean answered() {
        return placer.result().isDone();
    }

    @Override
    public Optional<Sending.Sent> await() throws UsageException, InterruptedException {
        Optional<JobHandle> job = new Waiting(session, output).until(placer.result(), this::leave);
        if (job.isEmpty()) {
            return Optional.empty();
        }
        Assignment assignment = door.assignment(job.get().key());
        JobEntry entry = session.store().find(job.get().key().value()).orElseGet(() -> assignment.entry(job.get()));
        output.submitted(job.get(), assignment.spec().image().orElse(""));
        return Optional.of(new Sending.Sent(entry, assignment));
    }

    private boolean leave() {
        placer.leave();
        session.err()
                .println("Interrupted before the job was placed. 'tao wait " + id
                        + "' continues the submission, 'tao cancel " + id + "' cancels the job.");
        return false;
    }

    /**
     * Keeps a job that is not placed yet from being sent to any further target.
     *
     * @return the id under which it may be on a target now, to be ended there
     */
    public static Optional<String> giveUp(Session session, PlacedJob job) throws UsageException {
        Placing known = job.known();
        session.store().place(job.with(known.current().isEmpty() ? known.givenUp("It was cancelled.") : known.stays()));
        for (var leg : known.legs()) {
            session.here().turns().over(leg.target(), leg.key());
        }
        return known.current().map(leg -> leg.key());
    }

    /** The id under which the job {@code job} is where it went; its own while it is on its way. */
    static String idWhereItStays(PlacedJob job) {
        return job.known().next() instanceof Next.Placed placed
                ? placed.job().key().value()
                : job.known().current().map(leg -> leg.key()).orElse(job.id());
    }
}

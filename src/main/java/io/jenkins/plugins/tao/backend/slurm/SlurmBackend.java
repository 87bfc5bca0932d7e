package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Avoiding;
import io.jenkins.plugins.tao.backend.Backend;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.CodeStore;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.JobArrays;
import io.jenkins.plugins.tao.backend.JointCancels;
import io.jenkins.plugins.tao.backend.Leasing;
import io.jenkins.plugins.tao.backend.LiveJobs;
import io.jenkins.plugins.tao.backend.MemberFold;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Remembering;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.SourceTree;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.Tidying;
import io.jenkins.plugins.tao.backend.Withdrawing;
import io.jenkins.plugins.tao.backend.slurm.checks.SlurmAnswers;
import io.jenkins.plugins.tao.backend.slurm.checks.SlurmPreflight;
import io.jenkins.plugins.tao.backend.slurm.networks.SlurmPaths;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.poll.ArrayRest;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmCancel;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmDiagnosis;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmFiles;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmMemory;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmPoll;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmReading;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmReply;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmTidy;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.backend.slurm.rest.RestAccess;
import io.jenkins.plugins.tao.backend.slurm.rest.SlurmApi;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmAccess;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmSending;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmSubmission;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.JobState;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.remote.files.Download;
import io.jenkins.plugins.tao.remote.files.Upload;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.remote.shell.LeaseSweep;
import io.jenkins.plugins.tao.remote.shell.PathListing;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A Slurm cluster behind one kept connection, and where the target says so a {@code slurmrestd}. */
public final class SlurmBackend
        implements Backend,
                Avoiding,
                CodeStore,
                JobArrays,
                JointCancels,
                Leasing,
                LiveJobs,
                Paths,
                Remembering,
                Tidying,
                Withdrawing {
    private static final Logger LOGGER = Logger.getLogger(SlurmBackend.class.getName());

    /** Slurm's commands give up on their controller after 9 to 20 seconds; a busy shared filesystem takes longer. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** By how much the clocks of a login node and of the storage may differ. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);

    private final SlurmTarget target;
    private final Host host;
    private final SlurmAccess slurm;

    private final SlurmAnswers answers = new SlurmAnswers();
    private volatile LeaseSweep leases = new LeaseSweep(Controller.NONE);
    private final SlurmMemory memory = new SlurmMemory();
    /** What the last look told of the members of arrays: by it their logs are read one after another. */
    private volatile Map<JobHandle, Map<Integer, JobStatus>> members = Map.of();

    public SlurmBackend(SlurmTarget target, Host host) {
        this.target = target;
        this.host = host;
        this.slurm = target.rest()
                .<SlurmAccess>map(rest -> new RestAccess(new SlurmApi(target.name(), rest)))
                .orElseGet(() -> new CommandAccess(target));
    }

    @Override
    public void actFor(Controller controller) {
        leases = new LeaseSweep(controller);
    }

    @Override
    public Report preflight(JobSpec spec) throws BackendException {
        boolean fine = false;
        try {
            Report report = new SlurmPreflight(target, spec)
                    .run(script -> answers.ask(script, all -> host.run(slurm.beforeChecks() + all, LIMIT)));
            fine = !report.failed();
            return report;
        } finally {
            if (!fine) {
                forget(); // whoever mends what is wrong asks again at once
            }
        }
    }

    @Override
    public void forget() {
        answers.forget();
    }

    @Override
    public JobHandle submit(JobSpec spec, JobKey key, Set<String> avoidNodes) throws BackendException {
        SlurmPlan plan = SlurmPlan.of(target, spec, key).visible();
        SlurmSubmission.Taken taken = send(SlurmSending.first(plan, avoidNodes));
        Duration limit = plan.shape().timeout().orElse(plan.shape().wallTime());
        return new JobHandle(
                        target.name(),
                        SlurmType.NAME,
                        key,
                        1,
                        taken.id(),
                        plan.layout().base(),
                        plan.results(),
                        taken.at())
                .withTimeLimit(Optional.of(limit));
    }

    @Override
    public JobHandle resubmit(JobHandle previous, Map<String, Secret> secrets, Set<String> avoidNodes)
            throws BackendException {
        leases.checkAlone();
        Optional<ArrayId> array = ArrayId.of(previous);
        Optional<SlurmArray> rest = array.isPresent()
                ? Optional.of(ArrayRest.parse(
                        previous, host.run(ArrayRest.render(previous), LIMIT).text()))
                : Optional.empty();
        SlurmSubmission.Taken taken = send(SlurmSending.again(previous, rest, secrets, avoidNodes));
        return previous.nextAttempt(taken.id(), taken.at());
    }

    @Override
    public Delivery deliver(SourceTree tree, JobKey key) throws BackendException {
        Upload.Done done = Upload.keep(host, tree, target.layout().codeRoot(), key.value());
        return new Delivery(done.path(), done.files(), done.sentBytes());
    }

    private SlurmSubmission.Taken send(SlurmSending sending) throws BackendException {
        return SlurmSubmission.parse(target.name(), sending.key(), slurm.send(sending, this::held));
    }

    /** Runs a script that looks first who holds the job. */
    private Reply held(String script) throws BackendException {
        return host.run(leases.functions() + "\n" + script, LIMIT);
    }

    @Override
    public Map<JobHandle, JobStatus> poll(Set<JobHandle> jobs) throws BackendException {
        if (jobs.isEmpty()) {
            return Map.of();
        }
        SlurmAccess.Look asked = slurm.look(jobs);
        String script = asked.before() + leases.forLookAt(jobs) + "\n" + SlurmPoll.render(jobs);
        String reply = host.run(script, LIMIT).text();
        SlurmReply look = SlurmReply.read(target.name(), reply);
        Map<JobHandle, JobStatus> found = look.statuses(jobs);
        asked.unclear().forEach(job -> found.putIfAbsent(job, JobStatus.live(JobState.UNCLEAR, "UNKNOWN")));
        members = look.membersOf(jobs);
        SlurmSections sections = SlurmSections.parse(reply);
        leases.take(jobs, sections.linesOf("leases"));
        memory.take(sections);
        if (sections.part("tidy").isPresent()) {
            tidyNow();
        }
        found.replaceAll(leases::annotated);
        found.replaceAll(memory::annotated);
        host.standIn().ifPresent(which -> found.replaceAll((job, status) -> status.withNotice(which)));
        List<JobHandle> ended = found.entrySet().stream()
                .filter(entry -> entry.getValue().state() == JobState.ENDED)
                .map(Map.Entry::getKey)
                .toList();
        if (!ended.isEmpty()) {
            host.run(SlurmPoll.tidy(ended), LIMIT);
        }
        return found;
    }

    @Override
    public Map<StreamRef, Tail> read(Map<StreamRef, Position> from) throws BackendException {
        Map<StreamRef, Tail> tails = new LinkedHashMap<>();
        new SlurmReading(from, members).ask(host, LIMIT, false, tails::put);
        return tails;
    }

    @Override
    public void read(Map<StreamRef, Position> from, BiConsumer<StreamRef, Tail> taker) throws BackendException {
        new SlurmReading(from, members).ask(host, LIMIT, true, taker);
    }

    @Override
    public void cancel(JobHandle job) throws BackendException {
        leases.checkAlone();
        slurm.cancel(job, this::held);
    }

    @Override
    public void withdraw(JobHandle job) throws BackendException {
        leases.checkAlone();
        SlurmCancel.check(target.name(), job, held(SlurmCancel.renderWaiting(job)));
    }

    /** A hundred in one call: {@code scancel} takes some hundredths of a second for each. */
    @Override
    public Map<JobHandle, BackendException> cancelAll(Map<JobHandle, String> jobs) throws BackendException {
        leases.checkAlone();
        return slurm.cancelAll(List.copyOf(jobs.keySet()), this::held);
    }

    @Override
    public JobHandle member(JobHandle array, int index) throws BackendException.Rejected {
        return ArrayId.memberOf(array, index);
    }

    @Override
    public void takeOver(JobHandle job) throws BackendException {
        SlurmCancel.checkHeld(job, held(SlurmCancel.takeOver(job)).text());
        leases.tookOver(job);
    }

    @Override
    public Look live() throws BackendException {
        return SlurmLive.parse(
                target,
                held(slurm.beforeList(true) + SlurmLive.render(target.layout().base()))
                        .text());
    }

    @Override
    public Tidied tidy(boolean dryRun) throws BackendException {
        if (target.keeps().isZero()) {
            return new Tidied(List.of(), 0, false);
        }
        return SlurmTidy.parse(
                target.name(),
                held(slurm.beforeList(false) + SlurmTidy.render(target.baseDirectory(), target.keeps(), dryRun))
                        .text());
    }

    /** Best effort: what stays lies there until the next time. */
    private void tidyNow() {
        try {
            Tidied tidied = tidy(false);
            if (!tidied.jobs().isEmpty()) {
                LOGGER.log(
                        Level.INFO,
                        "{0}: removed what was staged for {1} jobs older than {2} days, {3} MiB",
                        new Object[] {
                            target.name(), tidied.jobs().size(), target.keeps().toDays(), tidied.kibibytes() >> 10
                        });
            }
        } catch (BackendException e) {
            LOGGER.log(Level.FINE, e, () -> "could not tidy up on " + target.name());
        }
    }

    @Override
    public Optional<Listing> list(String path) throws BackendException {
        return PathListing.ask(host, target.name(), SlurmPaths.rewrite(path), LIMIT);
    }

    @Override
    public Diagnosis diagnose(JobHandle job) throws BackendException {
        List<String> failed = ArrayId.of(job).isPresent() ? failedMembers(job) : List.of();
        List<String> ids = failed.isEmpty() ? List.of(job.nativeId()) : failed;
        String script = slurm.beforeDiagnosis(ids) + SlurmDiagnosis.render(job, failed);
        return SlurmDiagnosis.parse(host.run(script, LIMIT).text(), job.mayHaveGpus());
    }

    private List<String> failedMembers(JobHandle job) throws BackendException {
        String before = slurm.look(Set.of(job)).before();
        String look = held(before + SlurmPoll.render(Set.of(job))).text();
        ArrayId array = ArrayId.of(job).orElseThrow();
        Map<Integer, JobStatus> known = SlurmReply.read(target.name(), look).members(job);
        return MemberFold.of(array.array().members(), known, Set.of()).failed().stream()
                .map(array::member)
                .toList();
    }

    @Override
    public void fetch(JobHandle job, ArtifactPlan plan, ArtifactSink sink) throws BackendException {
        host.run(SlurmFiles.linkLogs(job), LIMIT);
        Download download = new Download(host, plan, sink);
        download.copy("logs", SlurmLayout.of(job).logDirectory(job), SlurmFiles.logs(job));
        Instant begun = job.begunAt().minus(CLOCKS_DIFFER);
        download.copy("results", job.resultsDirectory(), SlurmFiles.results(job, plan), begun);
        download.end();
    }

    @Override
    public void close() {
        slurm.close();
        host.close();
    }
}

package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.Question;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.TableFormat;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.gate.criteria.SeedPlace;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.Outcome;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.mask.Mask;
import io.jenkins.plugins.tao.monitor.EarlyEnd;
import io.jenkins.plugins.tao.monitor.EventWords;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import io.jenkins.plugins.tao.nodes.NodeAvoidance;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Follows one job to its end: watches, remembers, explains a failure, brings files home. */
public final class Follower {
    private final Session session;
    private final WatchChoice choice;
    private final JobOutput output;
    private final boolean logShown;
    private final boolean quiet;

    public Follower(Session session, WatchChoice choice, JobOutput output, Verbosity verbosity) {
        this.session = session;
        this.choice = choice;
        this.output = output;
        quiet = verbosity.quiet();
        this.logShown = verbosity.log() && !verbosity.quiet();
    }

    /** Watches what was just sent. */
    public ExitCode follow(Sending.Sent sent) throws UsageException, InterruptedException {
        return follow(sent.entry(), sent.job().target());
    }

    private RunFolder folder(JobEntry entry) {
        return new RunFolder(session, choice, entry, output);
    }

    /** Watches until the end, or until Ctrl-C takes leave of the job. */
    public ExitCode follow(JobEntry entry, Target target) throws UsageException, InterruptedException {
        Following job = begin(entry, target, event -> {});
        Optional<JobResult> result =
                new Waiting(session, output).until(job.end(), () -> interrupted(job.watch(), entry));
        return result.isEmpty() ? ExitCode.DETACHED : finish(job, result.get());
    }

    /**
     * A job under watch.
     *
     * @param entry what is recorded of it
     * @param target where it is
     * @param watch the watch
     * @param end done when it has ended
     * @param folder its journal
     * @param mask what takes its secrets out of a text
     */
    public record Following(
            JobEntry entry,
            Target target,
            Watch watch,
            CompletableFuture<JobResult> end,
            RunFolder folder,
            Mask mask) {}

    /**
     * Begins to watch; returns at once.
     *
     * @param also hears all events as they are
     */
    public Following begin(JobEntry entry, Target target, JobObserver also) throws UsageException {
        RunFolder folder = folder(entry);
        Mask mask = entry.mask(session.here());
        new Archive(session, choice, entry, output).begin();
        folder.watched(entry.handle());
        NodeAvoidance nodes = new NodeAvoidance(
                session.here().avoidedNodes(), target, session.here().clock(), output::note);
        WatchPlan plan = choice.plan(session.here(), () -> secrets(entry))
                .withKnown(nodes::known)
                .withEndEarly(EarlyEnd.parse(entry.endEarly(), List.of()));
        CompletableFuture<JobResult> end = new CompletableFuture<>();
        Watch watch = session.dispatcher()
                .watch(target, entry.handle(), plan, session.store().memory(entry.handle()), event -> {
                    folder.on(event);
                    nodes.on(event, entry.handle().key().value(), mask::apply);
                    also.on(event);
                    hear(masked(event, mask), entry, end);
                });
        return new Following(entry, target, watch, end, folder, mask);
    }

    /** Brings home what the ended job left, explains a failure, and judges a success. */
    public ExitCode finish(Following job, JobResult result) throws UsageException, InterruptedException {
        RunFolder folder = job.folder();
        folder.ended(result);
        Diagnosis diagnosis = diagnosis(result, job.target(), folder, job.mask());
        JobEntry last = job.entry().withState(result.handle(), result.outcome().word(), session.now());
        boolean here = new Archive(session, choice, last, output).bring(job.target());
        String card = folder.concluded(quiet);
        if (result.outcome() instanceof Outcome.Failed || !card.isEmpty()) {
            output.failed(diagnosis, card);
        }
        session.dispatcher().reminderAtEnd(job.target()).forEach(output::note);
        return judged(folder, ExitCode.of(result.outcome())).unlessMissing(!here);
    }

    /** A job that failed needs no gate to say so. */
    private ExitCode judged(RunFolder folder, ExitCode code) throws UsageException, InterruptedException {
        if (code != ExitCode.SUCCEEDED) {
            return code;
        }
        Optional<Confirmation> wanted = folder.confirmation();
        Optional<SeedPlace> seed = folder.gates().confirm();
        if (wanted.isPresent()
                && seed.isPresent()
                && !new Confirming(session, choice, output).run(folder.path(), wanted.get(), seed.get())) {
            return ExitCode.DETACHED;
        }
        Optional<Judging> judging = folder.judged();
        judging.ifPresent(verdict -> verdict.rendered(TableFormat.TEXT).lines().forEach(output::note));
        ExitCode said = judging.map(Judging::exitCode)
                .orElse(folder.gates().isEmpty() ? ExitCode.SUCCEEDED : ExitCode.NO_VERDICT);
        boolean lost = !folder.gates().isEmpty() && !folder.isKept();
        return lost && (said == ExitCode.SUCCEEDED || said == ExitCode.NO_VERDICT) ? ExitCode.NOT_KEPT : said;
    }

    private static JobEvent masked(JobEvent event, Mask mask) {
        return event instanceof JobEvent.Lines lines
                ? new JobEvent.Lines(lines.stream(), mask.apply(lines.text()))
                : event;
    }

    private void hear(JobEvent event, JobEntry entry, CompletableFuture<JobResult> end) {
        output.on(event);
        if (event instanceof JobEvent.StatusChanged changed) {
            remember(entry, entry.handle(), EventWords.word(changed.now()));
        } else if (event instanceof JobEvent.AttemptStarted next) {
            remember(entry, next.next(), JobEntry.SUBMITTED);
        } else if (event instanceof JobEvent.Ended ended) {
            remember(entry, ended.result().handle(), ended.result().outcome().word());
            end.complete(ended.result());
        }
    }

    private void remember(JobEntry entry, JobHandle handle, String word) {
        try {
            session.store().save(entry.withState(handle, word, session.now()));
        } catch (UsageException e) {
            output.note(String.valueOf(e.getMessage()));
        }
    }

    private Map<String, Secret> secrets(JobEntry entry) throws BackendException.Rejected {
        try {
            return Assignment.reveal(entry.secrets(), session.here());
        } catch (UsageException e) {
            throw new BackendException.Rejected(
                    String.valueOf(e.getMessage()), "Set it, and start the job again: tao run or tao submit.");
        }
    }

    /** Whether to go on waiting after Ctrl-C. */
    private boolean interrupted(Watch watch, JobEntry entry) {
        Question.Answer answer = new Question(session.here(), output).answer(choice.onInterrupt(session.here()));
        if (answer == Question.Answer.KEEP_WATCHING) {
            output.note("watching on; Ctrl-C asks again");
            session.interrupts().goOn();
            return true;
        }
        if (answer == Question.Answer.CANCEL) {
            output.note("asking for the end of the job; Ctrl-C again leaves at once");
            watch.cancel("Ctrl-C");
            return true;
        }
        watch.detach();
        output.close();
        session.err()
                .println("The job continues. Watch it again with: tao wait "
                        + entry.handle().key() + "\n" + entry.handle().token());
        return false;
    }

    /** What the target finds after a failure; it goes into the folder of the run, and so into its card. */
    private Diagnosis diagnosis(JobResult result, Target target, RunFolder folder, Mask mask) {
        if (!(result.outcome() instanceof Outcome.Failed failed)) {
            return Diagnosis.NONE;
        }
        if (!logShown && !result.lastLines().isEmpty()) {
            output.note("the last lines of its log:");
            result.lastLines().stream().map(mask::apply).forEach(output::note);
        }
        try {
            Diagnosis diagnosis = session.dispatcher().diagnose(target, result.handle(), failed);
            folder.diagnosed(diagnosis);
            return new Diagnosis(
                    mask.apply(diagnosis.summary()),
                    mask.apply(diagnosis.remedy()),
                    diagnosis.facts().stream().map(mask::apply).toList());
        } catch (BackendException e) {
            output.note("no diagnosis: " + e.explain());
            return Diagnosis.NONE;
        }
    }
}

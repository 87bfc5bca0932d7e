package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.cli.input.JobRequest;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.gate.Confirmation;
import io.jenkins.plugins.tao.gate.criteria.SeedPlace;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.record.RunOrigin;
import io.jenkins.plugins.tao.record.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The run that checks a suspect run: its job again with another seed on other nodes, and for a pair the last good version beside it.
 * The ids follow from the id of the suspect run, so each is started once, also after this process was killed.
 */
public record Confirming(Session session, WatchChoice watching, JobOutput output) {
    private static final Pattern MARK = Pattern.compile("confirm (\\S+) not on (\\S*) as (.+?)(?: beside (.+))?");

    /** The request for it: the mark says what it confirms, also to a process that resumes it. */
    private static JobRequest request(JobRequest of, Confirmation wanted, SeedPlace place, String beside) {
        String mark = "confirm " + wanted.of().id() + " not on " + String.join(",", wanted.avoidNodes()) + " as "
                + wanted.night() + (beside.isEmpty() ? "" : " beside " + beside);
        String seed = Long.toString(wanted.seed());
        return of.with(List.of(
                switch (place.kind()) {
                    case SPEC -> new JobRequest.Replacement(mark, List.of("spec", place.name()), seed, true);
                    case ENV -> new JobRequest.Replacement(mark, List.of("env", place.name()), seed, false);
                    case ARGS -> new JobRequest.Replacement(mark, List.of("args", place.name()), seed, false);
                }));
    }

    private static Optional<Matcher> mark(JobRequest request) {
        return request.overrides().stream()
                .map(override -> MARK.matcher(override.option()))
                .filter(Matcher::matches)
                .findFirst();
    }

    /** Whether a request is for such a run: it is judged with the night that it confirms, not by itself. */
    static boolean isOne(JobRequest request) {
        return mark(request).isPresent();
    }

    /** {@code origin} with what such a run confirms. */
    static RunOrigin origin(RunOrigin origin, JobRequest request) {
        return mark(request)
                .map(mark -> origin.with(RunOrigin.CONFIRMED_RUN, mark.group(1))
                        .with(RunOrigin.CONFIRMS, mark.group(3))
                        .with(RunOrigin.BESIDE, Objects.requireNonNullElse(mark.group(4), "")))
                .orElse(origin);
    }

    /** The nodes that such a run keeps away from. */
    static Set<String> avoided(JobRequest request) {
        return mark(request)
                .map(mark -> mark.group(2))
                .filter(nodes -> !nodes.isEmpty())
                .map(nodes -> Set.of(nodes.split(",", -1)))
                .orElse(Set.of());
    }

    /**
     * Runs it, or follows the one that was started before. The suspect run can be judged afterwards, however it ended.
     *
     * @param folder of the run to repeat
     * @return whether it came to an end; not when it was left
     */
    public boolean run(Path folder, Confirmation wanted, SeedPlace place) throws InterruptedException {
        output.note(wanted.night() + " is beyond the limit: a confirming run with " + place + " = " + wanted.seed()
                + (wanted.avoidNodes().isEmpty() ? "" : ", not on " + String.join(", ", wanted.avoidNodes()))
                + ", comes before the verdict");
        Optional<Begun> rerun = begin("confirm", folder, wanted, place, "");
        if (rerun.isEmpty()) {
            return true;
        }
        Optional<Begun> beside = place.pair() ? beside(folder, wanted, place) : Optional.empty();
        // The rerun is recorded last: until then a process that starts again asks for both and finds them by their ids.
        return (beside.isEmpty() || isFollowed(beside.get())) && isFollowed(rerun.get());
    }

    private Optional<Begun> beside(Path folder, Confirmation wanted, SeedPlace place) throws InterruptedException {
        if (wanted.lastGood().isEmpty()) {
            output.note("no pair: there is no good run before " + wanted.night());
            return Optional.empty();
        }
        RunRecord good = wanted.lastGood().get();
        output.note("the version of " + good.label() + ", the last good run, is run beside it");
        return begin("beside", folder.resolveSibling(good.id()), wanted, place, good.label());
    }

    private boolean isFollowed(Begun run) throws InterruptedException {
        try {
            return run.follow();
        } catch (UsageException | Waiting.Failed e) {
            output.note("no confirming run: " + why(e));
            return true;
        }
    }

    private static @Nullable String why(Exception e) {
        return e.getCause() instanceof BackendException refused ? refused.explain() : e.getMessage();
    }

    /** Starts one of the runs, or finds it; empty, with a note, where it cannot be had. */
    private Optional<Begun> begin(String name, Path folder, Confirmation wanted, SeedPlace place, String beside)
            throws InterruptedException {
        try {
            Optional<JobRequest> before = KeptRequest.request(folder);
            if (before.isPresent()) {
                return Optional.of(
                        begin(JobKey.derive(name, wanted.of().id()), request(before.get(), wanted, place, beside)));
            }
            output.note("no confirming run: what was asked for is not kept in " + folder);
        } catch (UsageException | Waiting.Failed e) {
            output.note("no confirming run: " + why(e));
        }
        return Optional.empty();
    }

    private Begun begin(JobKey id, JobRequest request) throws UsageException, InterruptedException {
        Follower follower = new Follower(session, watching, output, new Verbosity(true, false));
        Optional<JobEntry> known = session.store().find(id.value());
        if (known.isPresent() && ExitCode.ofEnd(known.get().state()).isPresent()) {
            return () -> true;
        }
        Assignment job = Assignment.load(request, Optional.of(id.value()), session.here());
        if (known.isPresent()) {
            return () -> follower.follow(known.get(), job.target()) != ExitCode.DETACHED;
        }
        Optional<PendingJob> pending = session.store().pending(Optional.of(id.value()));
        Sending sending = pending.isPresent()
                ? Sending.takeUp(session, output, pending.get())
                : Sending.start(session, output, job);
        Optional<Sending.Sent> sent = sending.await();
        return () -> sent.isPresent() && follower.follow(sent.get()) != ExitCode.DETACHED;
    }

    /** A run that was sent. */
    @FunctionalInterface
    private interface Begun {
        /** Waits for its end; false when it was left before. */
        boolean follow() throws UsageException, InterruptedException;
    }
}

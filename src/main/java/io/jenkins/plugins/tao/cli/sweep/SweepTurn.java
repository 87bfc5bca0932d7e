package io.jenkins.plugins.tao.cli.sweep;

import io.jenkins.plugins.tao.cli.jobs.Assignment;
import io.jenkins.plugins.tao.cli.jobs.Follower;
import io.jenkins.plugins.tao.cli.jobs.Submitting;
import io.jenkins.plugins.tao.cli.output.EventText;
import io.jenkins.plugins.tao.cli.records.JobEntry;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.JobObserver;
import io.jenkins.plugins.tao.monitor.JobResult;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.sweep.Cell;
import io.jenkins.plugins.tao.sweep.CellEnd;
import io.jenkins.plugins.tao.sweep.Hopeless;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

/** One cell of a sweep under way: it waits, is sent, is watched, has ended. */
@RequiredArgsConstructor(access = AccessLevel.PACKAGE)
public final class SweepTurn {
    private final Cell cell;
    private final Assignment job;
    private final CompletableFuture<Watch> watch = new CompletableFuture<>();
    private Optional<Submitting> sending = Optional.empty();
    private Optional<Follower> follower = Optional.empty();
    private Optional<Follower.Following> following = Optional.empty();
    private Optional<SweepState.End> end = Optional.empty();

    Cell cell() {
        return cell;
    }

    Assignment job() {
        return job;
    }

    String key() {
        return job.key().value();
    }

    boolean waits() {
        return sending.isEmpty() && following.isEmpty() && end.isEmpty();
    }

    /** A job that has ended and whose files are not here yet takes no place. */
    boolean runs() {
        return sending.isPresent()
                || following.filter(job -> !job.end().isDone()).isPresent();
    }

    boolean hasEnded() {
        return end.isPresent();
    }

    Optional<Submitting> sending() {
        return sending;
    }

    void sending(Submitting begun) {
        sending = Optional.of(begun);
    }

    void watching(Follower by, Follower.Following begun) {
        sending = Optional.empty();
        follower = Optional.of(by);
        following = Optional.of(begun);
        watch.complete(begun.watch());
    }

    /** Done once there is a watch that can be told to end the cell. */
    CompletableFuture<Watch> orders() {
        return watch;
    }

    Optional<Watch> watch() {
        return end.isPresent() ? Optional.empty() : following.map(Follower.Following::watch);
    }

    boolean wantsFinish() {
        return end.isEmpty() && following.filter(job -> job.end().isDone()).isPresent();
    }

    SweepState.End finish() throws UsageException, InterruptedException {
        Follower.Following ended = following.orElseThrow();
        JobResult result = ended.end().join();
        ExitCode code = follower.orElseThrow().finish(ended, result);
        String note = ended.mask().apply(EventText.detail(result.outcome()));
        CellEnd told = CellEnd.of(
                cell,
                result.outcome().word(),
                result.progress().kpis(),
                result.handle().shortName(),
                note);
        SweepState.End kept = kept(told, code);
        ended(kept);
        return kept;
    }

    /**
     * Takes an end that is known from the record of the job.
     *
     * @param early why its early end was ordered; blank if it was not
     */
    SweepState.End ended(JobEntry entry, RunRecord record, ExitCode code, String early) {
        Map<String, Double> kpis = new LinkedHashMap<>();
        record.metrics().forEach((name, metric) -> kpis.put(name, metric.last()));
        String note = early.isEmpty() || !record.outcome().equals("cancelled")
                ? record.text("outcome/detail").orElse("")
                : "by " + early;
        CellEnd told = CellEnd.of(cell, record.outcome(), kpis, entry.handle().shortName(), note);
        SweepState.End kept = kept(told, code);
        ended(kept);
        return kept;
    }

    private static SweepState.End kept(CellEnd told, ExitCode code) {
        return new SweepState.End(
                told.outcome(),
                told.kpis(),
                told.job(),
                told.note(),
                told.endedEarly() ? ExitCode.SUCCEEDED.number() : code.number());
    }

    void ended(SweepState.End how) {
        sending = Optional.empty();
        end = Optional.of(how);
    }

    int code() {
        return end.map(SweepState.End::code).orElse(ExitCode.CANCELLED.number());
    }

    CellEnd end() {
        return end(cell, end);
    }

    public static CellEnd end(Cell cell, Optional<SweepState.End> end) {
        return end.map(how -> new CellEnd(cell, how.outcome(), how.kpis(), how.job(), how.note()))
                .orElseGet(() -> new CellEnd(cell, "not started", Map.of(), ""));
    }

    /** Shows a sweep's rules what a cell tells. */
    record Look(Hopeless rules, SweepTurn turn, BiConsumer<SweepTurn, String> order) implements JobObserver {
        @Override
        public void on(JobEvent event) {
            if (!(event instanceof JobEvent.Advanced advanced)) {
                return;
            }
            rules.take(turn.cell().id(), advanced.measured()).ifPresent(reason -> order.accept(turn, reason));
        }
    }
}

package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.jobs.KnownJobs;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.jobs.Waiting;
import io.jenkins.plugins.tao.cli.output.FilteredLines;
import io.jenkins.plugins.tao.cli.output.JobOutput;
import io.jenkins.plugins.tao.cli.output.LastLines;
import io.jenkins.plugins.tao.cli.output.LogChoice;
import io.jenkins.plugins.tao.cli.output.LogFilter;
import io.jenkins.plugins.tao.cli.output.PlainOutput;
import io.jenkins.plugins.tao.cli.output.WatchChoice;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "logs", description = "Prints what jobs have written so far.")
final class LogsVerb extends Verb {
    @Mixin
    KnownJobs jobs = new KnownJobs();

    @Option(
            names = {"-f", "--follow"},
            description = "Follows the logs until the job has ended.")
    boolean follow;

    @Option(
            names = "--stream",
            paramLabel = "STREAM",
            defaultValue = "out",
            description = "out, err or status, which is status.json (default: ${DEFAULT-VALUE}).")
    Stream stream = Stream.OUT;

    @Option(
            names = "--tail",
            paramLabel = "N",
            description = "Only the last N lines, 0 or more; not together with --follow.")
    @Nullable
    Integer tail;

    @Mixin
    LogChoice choice = new LogChoice();

    @Override
    ExitCode run(Session session) throws UsageException, BackendException, InterruptedException {
        if (tail != null && follow) {
            throw new UsageException("--tail does not go with --follow.");
        }
        List<KnownJobs.Chosen> chosen = jobs.chosen(session);
        if (follow && stream.isLog()) {
            return follow(session, chosen);
        }
        for (KnownJobs.Chosen job : chosen) {
            if (chosen.size() > 1) {
                session.out().println("==> " + job.name() + " <==");
            }
            print(session, job);
        }
        session.out().flush();
        return ExitCode.SUCCEEDED;
    }

    private void print(Session session, KnownJobs.Chosen job) throws BackendException, UsageException {
        if (tail == null) {
            print(session, job, session.out()::writeBytes);
        } else {
            LastLines last = new LastLines(tail);
            print(session, job, last::add);
            session.out().writeBytes(last.bytes());
        }
    }

    private void print(Session session, KnownJobs.Chosen job, Consumer<byte[]> to)
            throws BackendException, UsageException {
        StreamRef ref = new StreamRef(job.handle(), stream);
        LogFilter filter = choice.filter(job.handle(), session.now());
        if (filter.isEmpty()) {
            print(session, ref, job.target(), to);
            return;
        }
        FilteredLines lines = new FilteredLines(filter, to);
        print(session, ref, job.target(), lines::add);
        lines.end();
        filter.lacking().ifPresent(why -> session.err().println("tao: " + why + "."));
    }

    private static void print(Session session, StreamRef stream, Target target, Consumer<byte[]> to)
            throws BackendException {
        Map<StreamRef, Position> from = Map.of(stream, Position.START);
        while (!from.isEmpty()) {
            from = session.dispatcher().readOn(target, from, (ref, piece) -> to.accept(piece.bytes()));
        }
    }

    /** Watches of their own, from the first byte; they start no attempts and leave the saved ones alone. */
    private ExitCode follow(Session session, List<KnownJobs.Chosen> chosen)
            throws InterruptedException, UsageException {
        JobOutput output = new PlainOutput(session.out(), "", new Verbosity(false, true));
        List<Watch> watches = new ArrayList<>();
        List<CompletableFuture<ExitCode>> ends = new ArrayList<>();
        for (KnownJobs.Chosen job : chosen) {
            CompletableFuture<ExitCode> end = new CompletableFuture<>();
            ends.add(end);
            LogFilter filter = choice.filter(job.handle(), session.now());
            String prefix = chosen.size() > 1 ? job.name() + ": " : "";
            watches.add(watch(session, job, lines -> output.on(shown(lines, filter, prefix)), end));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(ends.toArray(new CompletableFuture<?>[0]));
        return new Waiting(session, output)
                .until(all.thenApply(unused -> ExitCode.SUCCEEDED), () -> false)
                .orElseGet(() -> {
                    watches.forEach(Watch::detach);
                    return ExitCode.DETACHED;
                });
    }

    private Watch watch(
            Session session, KnownJobs.Chosen job, Consumer<JobEvent.Lines> output, CompletableFuture<ExitCode> end) {
        WatchChoice watching = new WatchChoice();
        watching.giveUpAfter = Duration.ofDays(1);
        return session.dispatcher()
                .watch(job.target(), job.handle(), watching.plan(Map::of), WatchMemory.none(), event -> {
                    if (event instanceof JobEvent.Lines lines && lines.stream() == stream) {
                        output.accept(lines);
                    } else if (event instanceof JobEvent.Ended) {
                        end.complete(ExitCode.SUCCEEDED);
                    }
                });
    }

    private static JobEvent.Lines shown(JobEvent.Lines lines, LogFilter filter, String prefix) {
        if (filter.isEmpty() && prefix.isEmpty()) {
            return lines;
        }
        return JobEvent.Lines.of(
                lines.stream(),
                lines.text()
                        .lines()
                        .filter(filter::shows)
                        .map(line -> prefix + line)
                        .toList());
    }
}

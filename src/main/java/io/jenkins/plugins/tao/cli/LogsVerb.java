package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.Tail;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.monitor.Watch;
import io.jenkins.plugins.tao.monitor.WatchMemory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "logs", description = "Prints what a job has written so far.")
final class LogsVerb extends Verb {
    @Mixin
    KnownJob job = new KnownJob();

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on until the job has ended.")
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

    LogsVerb(Surroundings here, Interrupts interrupts) {
        super(here, interrupts);
    }

    @Override
    ExitCode run(Session session) throws UsageException, BackendException, InterruptedException {
        if (tail != null && (tail < 0 || follow)) {
            throw new UsageException("--tail takes a number of lines from 0 on, and does not go with --follow.");
        }
        JobEntry entry = job.entry(session);
        Target target = job.place(entry, session.here()).target();
        if (follow && stream != Stream.STATUS) {
            return follow(session, entry.handle(), target);
        }
        StreamRef ref = new StreamRef(entry.handle(), stream);
        if (tail == null) {
            print(session, ref, target, session.here().out()::writeBytes);
        } else {
            LastLines last = new LastLines(tail);
            print(session, ref, target, last::add);
            session.here().out().writeBytes(last.bytes());
        }
        session.here().out().flush();
        return ExitCode.SUCCEEDED;
    }

    private static void print(Session session, StreamRef stream, Target target, Consumer<byte[]> to)
            throws BackendException {
        Optional<Tail> piece;
        Position from = Position.START;
        do {
            piece = Optional.ofNullable(
                    session.dispatcher().read(target, Map.of(stream, from)).get(stream));
            if (piece.isPresent()) {
                to.accept(piece.get().bytes());
                from = piece.get().next();
            }
        } while (piece.isPresent() && piece.get().more());
    }

    /** A watch of its own, from the first byte; it starts no attempts and leaves the saved one alone. */
    private ExitCode follow(Session session, JobHandle handle, Target target) throws InterruptedException {
        JobOutput output = new PlainOutput(session.here().out(), handle.key().value(), new Verbosity(false, true));
        CompletableFuture<ExitCode> end = new CompletableFuture<>();
        WatchChoice choice = new WatchChoice();
        choice.giveUpAfter = Duration.ofDays(1);
        Watch watch = session.dispatcher().watch(target, handle, choice.plan(Map::of), Forgetful.NEW, event -> {
            if (event instanceof JobEvent.Lines lines && lines.stream() == stream) {
                output.on(event);
            } else if (event instanceof JobEvent.Ended) {
                end.complete(ExitCode.SUCCEEDED);
            }
        });
        return new Waiting(session, output).until(end, () -> false).orElseGet(() -> {
            watch.detach();
            return ExitCode.DETACHED;
        });
    }

    /** Keeps nothing. */
    enum Forgetful implements WatchMemory {
        NEW;

        @Override
        public Optional<String> load() {
            return Optional.empty();
        }

        @Override
        public void save(String record) {
            // the watch that counts saves its own
        }
    }
}

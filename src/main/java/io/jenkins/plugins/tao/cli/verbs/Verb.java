package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.cli.jobs.JobStore;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Identity;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** One verb of the command line. */
abstract class Verb implements Callable<Integer> {
    private @Nullable Surroundings here;
    private @Nullable Interrupts interrupts;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    boolean help;

    /** The same, for this machine and its signals. */
    final Verb in(Surroundings where, Interrupts signals) {
        here = where;
        interrupts = signals;
        return this;
    }

    /** Does it. */
    abstract ExitCode run(Session session) throws UsageException, BackendException, InterruptedException;

    @Override
    public final Integer call() throws UsageException, BackendException, InterruptedException {
        Surroundings place = Objects.requireNonNull(here);
        JobStore store = new JobStore(place.stateDirectory());
        try (Dispatcher dispatcher = Dispatcher.start(
                place.types(), Identity.of(place), place.ticker().get())) {
            Interrupts signals = Objects.requireNonNull(interrupts);
            return run(new Session(place, store, place.ledger(), dispatcher, signals))
                    .number();
        }
    }
}

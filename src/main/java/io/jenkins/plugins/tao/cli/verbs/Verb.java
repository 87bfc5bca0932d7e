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
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** One verb of the command line. */
abstract class Verb implements Callable<Integer> {
    private final Surroundings here;
    private final Interrupts interrupts;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    boolean help;

    Verb(Surroundings here, Interrupts interrupts) {
        this.here = here;
        this.interrupts = interrupts;
    }

    /** Does it. */
    abstract ExitCode run(Session session) throws UsageException, BackendException, InterruptedException;

    @Override
    public final Integer call() throws UsageException, BackendException, InterruptedException {
        JobStore store = new JobStore(here.stateDirectory());
        try (Dispatcher dispatcher =
                Dispatcher.start(here.types(), Identity.of(here), here.ticker().get())) {
            return run(new Session(here, store, here.ledger(), dispatcher, interrupts))
                    .number();
        }
    }
}

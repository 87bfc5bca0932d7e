package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.dispatch.Dispatcher;
import io.jenkins.plugins.tao.history.Ledger;
import java.io.PrintStream;
import java.time.Instant;

/** What one call of the program needs: its surroundings, the known jobs, the ledger of all runs, the dispatcher, Ctrl-C. */
public record Session(Surroundings here, JobStore store, Ledger ledger, Dispatcher dispatcher, Interrupts interrupts) {
    /** Standard output. */
    public PrintStream out() {
        return here.out();
    }

    /** Standard error. */
    public PrintStream err() {
        return here.err();
    }

    /** The time. */
    public Instant now() {
        return here.now();
    }
}

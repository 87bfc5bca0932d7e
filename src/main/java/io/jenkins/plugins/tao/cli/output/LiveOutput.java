package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.PrintStream;
import java.time.Instant;

/** Lines that scroll above one status line that is redrawn; for terminals. */
final class LiveOutput extends PlainOutput {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream terminal;
    private final StatusLine status;
    private String asked = "";

    LiveOutput(PrintStream terminal, String job, Verbosity verbosity, StatusLine status) {
        super(terminal, job, verbosity);
        this.terminal = terminal;
        this.status = status;
    }

    @Override
    public void on(JobEvent event) {
        status.on(event);
        if (event instanceof JobEvent.Advanced) {
            print(""); // the status line says it
        } else {
            super.on(event);
        }
    }

    @Override
    public synchronized void asking(String question) {
        asked = question;
        redraw(asked);
    }

    @Override
    public synchronized void answered() {
        asked = "";
    }

    /** A question stays where the status line was: to redraw would take away what the person types. */
    @Override
    public synchronized void tick(Instant now) {
        if (asked.isEmpty()) {
            redraw(status.render(now));
        }
    }

    @Override
    public synchronized void close() {
        redraw("");
    }

    @Override
    synchronized void print(String lines) {
        terminal.print(CLEAR);
        super.print(lines);
        terminal.print(asked.isEmpty() ? status.last() : asked);
        terminal.flush();
    }

    private void redraw(String line) {
        terminal.print(CLEAR + line);
        terminal.flush();
    }
}

package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Lines that scroll above one status line that is redrawn; for terminals. */
final class LiveOutput implements JobOutput {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream out;
    private final PlainOutput lines;
    private final StatusLine status;
    private String question = "";

    LiveOutput(PrintStream out, String job, Verbosity verbosity, StatusLine status) {
        this.out = out;
        this.lines = new PlainOutput(out, job, verbosity);
        this.status = status;
    }

    @Override
    public void checked(Report report) {
        above(() -> lines.checked(report));
    }

    @Override
    public void delayed(String what, Duration next) {
        above(() -> lines.delayed(what, next));
    }

    @Override
    public void sending(JobKey key) {
        above(() -> lines.sending(key));
    }

    @Override
    public void submitted(JobHandle handle, String image) {
        above(() -> lines.submitted(handle, image));
    }

    @Override
    public void on(JobEvent event) {
        status.on(event);
        above(() -> {
            if (!(event instanceof JobEvent.Advanced)) {
                lines.on(event);
            }
        });
    }

    @Override
    public void failed(Diagnosis diagnosis, String card) {
        above(() -> lines.failed(diagnosis, card));
    }

    @Override
    public void archived(Path directory, DirectorySink files) {
        above(() -> lines.archived(directory, files));
    }

    @Override
    public void note(String text) {
        above(() -> lines.note(text));
    }

    @Override
    public synchronized void asking(String asked) {
        question = asked;
        out.print(CLEAR + question);
        out.flush();
    }

    @Override
    public synchronized void answered() {
        question = "";
    }

    /** A question stays where the status line was: to redraw would take away what the person types. */
    @Override
    public synchronized void tick(Instant now) {
        if (question.isEmpty()) {
            out.print(CLEAR + status.render(now));
            out.flush();
        }
    }

    @Override
    public synchronized void close() {
        out.print(CLEAR);
        out.flush();
    }

    private synchronized void above(Runnable print) {
        out.print(CLEAR);
        print.run();
        out.print(question.isEmpty() ? status.last() : question);
        out.flush();
    }
}

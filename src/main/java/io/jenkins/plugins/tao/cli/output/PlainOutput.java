package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.monitor.JobEvent;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** One line after the other, for pipes, files and build logs. */
public class PlainOutput implements JobOutput {
    private static final String MARK = "[tao] ";
    private static final String END = System.lineSeparator();

    private final PrintStream out;
    private final EventText text;
    private final Verbosity verbosity;
    private String question = "";

    public PlainOutput(PrintStream out, String job, Verbosity verbosity) {
        this.out = out;
        this.text = new EventText(job);
        this.verbosity = verbosity;
    }

    @Override
    public void checked(Report report) {
        if (report.failed() || !verbosity.quiet()) {
            print(EventText.report(report));
        }
    }

    @Override
    public void delayed(String what, Duration next) {
        note(what + " Trying again in " + Durations.words(next) + ".");
    }

    @Override
    public void sending(JobKey key) {
        if (!verbosity.quiet()) {
            note("sending " + key);
        }
    }

    @Override
    public void submitted(JobHandle handle, String image) {
        if (!verbosity.quiet()) {
            print(text.submitted(handle, image));
        }
    }

    @Override
    public void on(JobEvent event) {
        if (!verbosity.shows(event)) {
            return;
        }
        if (event instanceof JobEvent.Lines lines) {
            print(lines.text());
        } else {
            print(text.of(event));
        }
    }

    @Override
    public void failed(Diagnosis diagnosis, String card) {
        if (card.isEmpty()) {
            print(text.diagnosis(diagnosis));
        } else {
            print(card.lines().map(line -> MARK + line).toList());
        }
    }

    @Override
    public void archived(Path directory, DirectorySink files) {
        files.skipped().forEach(this::note);
        if (!verbosity.quiet()) {
            note(Sentences.count(files.files().size(), "file") + " in " + directory);
        }
    }

    @Override
    public void note(String line) {
        print(List.of(MARK + line));
    }

    @Override
    public synchronized void asking(String asked) {
        question = asked;
        out.println();
        repeatQuestion();
    }

    @Override
    public synchronized void answered() {
        question = "";
    }

    private void repeatQuestion() {
        if (!question.isEmpty()) {
            out.print(question);
        }
        out.flush();
    }

    @Override
    public void tick(Instant now) {
        // lines that stay are not redrawn
    }

    @Override
    public void close() {
        out.flush();
    }

    private void print(List<String> lines) {
        print(lines.isEmpty() ? "" : String.join("\n", lines) + "\n");
    }

    /** Prints lines, each with its end. */
    synchronized void print(String lines) {
        if (!question.isEmpty()) {
            out.println();
        }
        String text = END.equals("\n") ? lines : lines.replace("\n", END);
        // a stream that prints text encodes it character by character
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        repeatQuestion();
    }
}

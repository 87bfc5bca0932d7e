package io.jenkins.plugins.tao.cli.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.Diagnosis;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.cli.terminal.Verbosity;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.journal.EventJson;
import io.jenkins.plugins.tao.monitor.JobEvent;
import io.jenkins.plugins.tao.sweep.SweepTable;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One JSON object a line.
 *
 * @param id of one of several jobs: each event names it
 */
public record JsonOutput(PrintStream out, Clock clock, Verbosity verbosity, Optional<String> id) implements JobOutput {
    @Override
    public void checked(Report report) {
        print(EventJson.report(report));
    }

    @Override
    public void delayed(String what, Duration next) {
        print(EventJson.event("delayed").put("what", what).put("seconds", next.toSeconds()));
    }

    @Override
    public void sending(JobKey key) {
        print(EventJson.event("sending").put("id", key.value()));
    }

    @Override
    public void submitted(JobHandle handle, String image) {
        print(EventJson.submitted(handle).put("image", image));
    }

    @Override
    public void on(JobEvent event) {
        if (verbosity.shows(event)) {
            print(EventJson.of(event));
        }
    }

    @Override
    public void failed(Diagnosis diagnosis, String card) {
        print(EventJson.diagnosis(diagnosis));
    }

    @Override
    public void archived(Path directory, DirectorySink files) {
        ObjectNode node = EventJson.event("archived").put("directory", directory.toString());
        files.files().forEach(node.putArray("files")::add);
        files.skipped().forEach(node.putArray("skipped")::add);
        print(node);
    }

    @Override
    public void note(String text) {
        print(EventJson.event("notice").put("text", text));
    }

    @Override
    public void asking(String question) {
        note(question);
    }

    @Override
    public void answered() {
        // an event that was printed stays
    }

    @Override
    public void tick(Instant now) {
        // time itself is no event
    }

    /** Tells how the cells of a sweep ended. */
    public void table(SweepTable cells) {
        ObjectNode node = EventJson.event("sweep");
        node.set("cells", cells.tree());
        print(node);
    }

    @Override
    public void close() {
        out.flush();
    }

    synchronized void print(ObjectNode node) {
        id.filter(name -> !node.has("id")).ifPresent(name -> node.put("id", name));
        out.println(node.put("at", clock.instant().toString()));
        out.flush();
    }
}

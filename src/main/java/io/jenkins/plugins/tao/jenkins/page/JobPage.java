package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hudson.ExtensionList;
import hudson.model.Item;
import hudson.model.ModelObject;
import hudson.model.Run;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jenkins.model.Jenkins;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;
import org.kohsuke.stapler.interceptor.RequirePOST;

/** The page of one job of a build: how it does, its curves, the end of its log, what happened, what was asked. */
public final class JobPage implements ModelObject {
    private final TaoRunAction page;
    private final Run<?, ?> run;
    private final JobRecord job;
    private final JobFolder folder;

    JobPage(TaoRunAction page, Run<?, ?> run, JobRecord job) {
        this.page = page;
        this.run = run;
        this.job = job;
        folder = new JobFolder(run.getRootDir().toPath(), job.getId());
    }

    @Override
    public String getDisplayName() {
        return job.getId();
    }

    public Run<?, ?> getRun() {
        return run;
    }

    public JobRow getRow() {
        return new JobRow(job);
    }

    /** What happened, the oldest first. */
    public List<TimelineEntry> getTimeline() throws IOException {
        return TimelineEntry.of(folder.events());
    }

    /** What was asked, by name; secrets by name alone. */
    public Map<String, String> getAsked() throws IOException {
        Map<String, String> asked = new LinkedHashMap<>();
        JsonNode request = folder.asked();
        for (String name : List.of("command", "image", "nodes", "gpus", "cpus", "time", "startWithin")) {
            if (request.hasNonNull(name)) {
                asked.put(name, request.path(name).asText());
            }
        }
        request.path("env")
                .properties()
                .forEach(entry ->
                        asked.put("env " + entry.getKey(), entry.getValue().asText()));
        request.path("secrets").forEach(name -> asked.put("secret " + name.asText(), "••••"));
        request.path("inputs").forEach(input -> asked.merge("inputs", input.asText(), (a, b) -> a + "\n" + b));
        return asked;
    }

    /** The spec as it was asked for; empty where there is none. */
    public String getSpec() throws IOException {
        JsonNode spec = folder.asked().path("spec");
        return spec.isEmpty() ? "" : spec.toPrettyString();
    }

    /** What a person needs after a failure, the text of the log and of the artifact; empty where there is none. */
    public String getCard() throws IOException {
        return folder.card();
    }

    /** Whether it can be cancelled from here. */
    public boolean isCancellable() {
        return !getRow().settled()
                && job.owner() != JobOwner.CANCEL
                && run.getParent().hasPermission(Item.CANCEL);
    }

    /** {@code state}: how it does, its curves and the end of its log as JSON. */
    public void doState(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        JobRow row = getRow();
        ObjectNode state = curves().json();
        state.set("job", row.json());
        state.put("complete", row.settled());
        List<String> live = page.tail(job.getId());
        (live.isEmpty() ? folder.tail() : live).forEach(state.putArray("tail")::add);
        new TaggedJson(state.toString()).answer(request, response);
    }

    private JobCurves curves() throws IOException {
        List<String> series = folder.series();
        JobCurves curves = series.size() > 1 ? JobCurves.ofSeries(series) : JobCurves.ofProgress(folder.progress());
        return curves.withGpus(folder.gpus());
    }

    /** {@code cancel}: asks for the end of the job, and shows the page again. */
    @RequirePOST
    public void doCancel(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        run.getParent().checkPermission(Item.CANCEL);
        ExtensionList.lookupSingleton(JobCancelling.class)
                .cancel(run, job, Jenkins.getAuthentication2().getName() + " on the page of the job");
        response.sendRedirect2(".");
    }
}

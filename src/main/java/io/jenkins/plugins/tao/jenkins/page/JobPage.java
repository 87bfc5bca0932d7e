package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hudson.ExtensionList;
import hudson.model.Failure;
import hudson.model.Item;
import hudson.model.ModelObject;
import hudson.model.Run;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.record.GpuSeries;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jenkins.model.Jenkins;
import lombok.Getter;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;
import org.kohsuke.stapler.interceptor.RequirePOST;

/** The page of one job of a build: how it does, its curves, the end of its log, what happened, what was asked. */
public final class JobPage implements ModelObject {
    private final TaoRunAction page;

    @Getter
    private final Run<?, ?> run;

    private final JobRecord job;
    private final JobFolder folder;

    JobPage(TaoRunAction page, Run<?, ?> run, JobRecord job) {
        this.page = page;
        this.run = run;
        this.job = job;
        folder = new JobFolder(run, job.getId());
    }

    @Override
    public String getDisplayName() {
        String name = new JobRow(job).getName();
        return name.equals(job.getId()) ? name : name + " (" + job.getId() + ")";
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

    /** What a person needs after a failure; null where there is none. */
    public @Nullable JobCard getCard() throws IOException {
        return folder.card().orElse(null);
    }

    /** Whether it can be cancelled from here. */
    public boolean isCancellable() {
        return !getRow().settled()
                && job.owner() != JobOwner.CANCEL
                && run.getParent().hasPermission(Item.CANCEL);
    }

    /** Whether it can be run again from here: it has ended without success, and so has its build, whose steps wait for nothing more. */
    public boolean isRetriable() {
        return getRow().settled()
                && !job.getState().equals("SUCCESS")
                && !run.isBuilding()
                && folder.wasAsked()
                && run.getParent().hasPermission(Item.BUILD);
    }

    /** {@code state}: how it does, its curves and the end of its log as JSON. */
    public void doState(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        JobRow row = getRow();
        ObjectNode state = curves().json();
        state.set("job", row.json());
        state.put("complete", row.settled());
        List<String> live = page.tail(job.getId());
        (live.isEmpty() ? folder.tail() : live).forEach(state.putArray("tail")::add);
        page.getGates().stream().filter(gate -> isOf(gate.getTraining(), row)).forEach(gate -> {
            ObjectNode shown = state.withArray("/gates")
                    .addObject()
                    .put("title", gate.getGate())
                    .put("metric", gate.figures().metric());
            gate.figures().limit().ifPresent(limit -> shown.put("limit", limit));
        });
        new TaggedJson(state.toString()).answer(request, response);
    }

    /** A gate names a training where the build has several: by the name of its jobs, or by their work. */
    private static boolean isOf(String training, JobRow row) {
        return training.isEmpty()
                || row.getId().startsWith(training + "-")
                || (!row.getWork().isEmpty() && training.contains(row.getWork()));
    }

    private JobCurves curves() throws IOException {
        List<String> series = folder.series();
        JobCurves curves = series.size() > 1 ? JobCurves.ofSeries(series) : JobCurves.ofProgress(folder.progress());
        return curves.withGpus(GpuSeries.together(folder.gpus()));
    }

    /** {@code cancel}: asks for the end of the job, and shows the page again. */
    @RequirePOST
    public void doCancel(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        run.getParent().checkPermission(Item.CANCEL);
        ExtensionList.lookupSingleton(JobCancelling.class)
                .cancel(run, job, Jenkins.getAuthentication2().getName() + " on the page of the job");
        response.sendRedirect2(".");
    }

    /** {@code retry}: asks for the same again, and shows the page of the new job. */
    @RequirePOST
    public void doRetry(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        run.getParent().checkPermission(Item.BUILD);
        if (!isRetriable()) {
            throw new Failure(job.getId()
                    + " cannot be run again from here: it runs, it succeeded, it was not submitted by this build, or its"
                    + " build still runs. There the Pipeline runs it again with taoRetry.");
        }
        try {
            JobKey next = ExtensionList.lookupSingleton(JobRetrying.class)
                    .retry(run, job, Jenkins.getAuthentication2().getName() + " on the page of the job");
            response.sendRedirect2("../" + next + "/");
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }
}

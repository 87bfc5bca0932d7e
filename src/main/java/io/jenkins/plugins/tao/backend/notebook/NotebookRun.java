package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.http.Json;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Work;
import io.jenkins.plugins.tao.remote.shell.GpuShell;
import io.jenkins.plugins.tao.spec.FilledJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one notebook is told of its attempt: the object that its first cell holds, and all that a further attempt is made
 * of. Nothing in it is secret. Pure.
 *
 * @param settings as {@code run.py} reads them
 */
record NotebookRun(ObjectNode settings) {
    /** What Kaggle keeps of one version. */
    private static final long KEPT_BYTES = 20_000_000_000L;

    private static final int MARGIN_SECONDS = 300;
    private static final int KEEP_SECONDS = 60;
    private static final int LOOK_SECONDS = 2;
    private static final int SHARE_OF_MARGIN = 10;

    /** The first attempt of a job on Kaggle. */
    static NotebookRun onKaggle(KaggleTarget target, JobSpec spec, JobKey key, Instant at) throws Rejected {
        KaggleShape shape = new KaggleShape(target, spec);
        shape.require();
        KaggleOptions options = shape.options();
        String results = spec.resultsDirectory().or(shape::namedInSpec).orElse(KaggleShape.WORKING + "/results/" + key);
        ObjectNode settings = job(spec, key, results, KaggleShape.WORKING + "/tao-run");
        settings.put("slug", target.username() + "/" + KaggleSlug.of(key, 1))
                .put("submittedAt", at.getEpochSecond())
                .put("work", Work.of(spec))
                .put("sessions", options.sessions().orElse(1))
                .put("gpus", shape.gpus())
                .put("durableDirectory", KaggleShape.WORKING)
                .put("scratchDirectory", "/kaggle/temp/tao-run")
                .put("inputDirectory", KaggleShape.INPUT)
                .put("sessionSeconds", shape.session().toSeconds())
                .put("marginSeconds", margin(shape.session().toSeconds()))
                .put("outputBytes", KEPT_BYTES)
                .put(
                        "onCancel",
                        options.onCancel().orElse(KaggleOptions.OnCancel.LEAVE).name());
        if (shape.gpus() > 0) {
            settings.put("gpuProgram", GpuShell.program()).put("gpuSeconds", GpuShell.PAUSE_SECONDS);
        }
        spec.inputs().forEach(settings.putArray("inputs")::add);
        options.resumeFrom().ifPresent(settings.putArray("resume")::add);
        options.git().ifPresent(url -> settings.put("git", url));
        options.revision().ifPresent(revision -> settings.put("revision", revision));
        options.codeDataset().ifPresent(dataset -> settings.put("codeDataset", dataset));
        options.secretsDataset().ifPresent(dataset -> settings.put("secretsDataset", dataset));
        settings.set("push", KagglePush.options(shape));
        return new NotebookRun(settings);
    }

    /** A notebook for a person to run on Colab. */
    static NotebookRun onColab(ColabOptions options, JobSpec spec, JobKey key) throws Rejected {
        String results = "/content/tao-run/results";
        long seconds = spec.resources().wallTime().orElse(Duration.ZERO).toSeconds();
        ObjectNode settings = job(spec, key, results, "/content/tao-run");
        settings.put("slug", key.value())
                .put("sessions", 1)
                .put("gpus", spec.resources().gpusPerNode().orElse(1))
                .put("driveMount", "/content/drive")
                .put("durableDirectory", "/content/drive/MyDrive/" + options.folder() + "/" + key)
                .put("scratchDirectory", "/content/tao-run/scratch")
                .put("inputDirectory", "/content")
                .put("sessionSeconds", seconds)
                .put("marginSeconds", margin(seconds == 0 ? Long.MAX_VALUE : seconds))
                .put("outputBytes", Long.MAX_VALUE)
                .put("keepSeconds", options.keepEvery().toSeconds());
        settings.putArray("inputs");
        settings.putArray("resume");
        spec.secrets().keySet().forEach(settings.putArray("secrets")::add);
        options.git().ifPresent(url -> settings.put("git", url));
        options.revision().ifPresent(revision -> settings.put("revision", revision));
        return new NotebookRun(settings);
    }

    private static ObjectNode job(JobSpec spec, JobKey key, String results, String own) throws Rejected {
        String config = own + "/spec." + spec.specFormat().extension();
        FilledJob filled = FilledJob.of(
                spec,
                key,
                FilledJob.Place.of(
                        results, config, spec.resources().gpusPerNode().orElse(1)));
        ObjectNode settings = Json.object();
        settings.put("key", key.value())
                .put("attempt", 1)
                .put("resultsDirectory", results)
                .put("runDirectory", own)
                .put("specFile", config)
                .put("keepSeconds", KEEP_SECONDS)
                .put("lookSeconds", LOOK_SECONDS)
                .put("command", filled.command());
        filled.env(Map.of()).forEach(settings.putObject("env")::put);
        if (!spec.spec().isEmpty()) {
            settings.put("spec", filled.specText());
        }
        return settings;
    }

    private static long margin(long seconds) {
        return Math.max(1, Math.min(MARGIN_SECONDS, seconds / SHARE_OF_MARGIN));
    }

    /** Out of a notebook's source; empty when the notebook is none of ours. */
    static Optional<NotebookRun> ofSource(String source) {
        return Json.parse(source)
                .map(notebook -> notebook.path("cells"))
                .flatMap(NotebookText::settings)
                .filter(settings -> settings.path("key").isTextual()
                        && settings.path("push").isObject())
                .map(NotebookRun::new);
    }

    /** The next attempt of the same job, which goes on from what this one left. */
    NotebookRun next(String owner, Instant at) {
        ObjectNode next = settings.deepCopy();
        int attempt = attempt() + 1;
        ArrayNode resume = next.putArray("resume").add(slug());
        settings.path("resume").forEach(resume::add);
        next.put("attempt", attempt)
                .put("slug", owner + "/" + KaggleSlug.of(key(), attempt))
                .put("submittedAt", at.getEpochSecond());
        return new NotebookRun(next);
    }

    JobKey key() {
        return new JobKey(settings.path("key").asText());
    }

    /** A fingerprint of what it runs; empty in notebooks of older versions. */
    String work() {
        return settings.path("work").asText("");
    }

    int attempt() {
        return settings.path("attempt").asInt(1);
    }

    String slug() {
        return settings.path("slug").asText();
    }

    String resultsDirectory() {
        return settings.path("resultsDirectory").asText();
    }

    Instant submittedAt() {
        return Instant.ofEpochSecond(settings.path("submittedAt").asLong());
    }

    boolean deletedOnCancel() {
        return settings.path("onCancel").asText().equals(KaggleOptions.OnCancel.DELETE.name());
    }

    long sessionSeconds() {
        return settings.path("sessionSeconds").asLong();
    }

    JsonNode push() {
        return settings.path("push");
    }

    List<String> resume() {
        return java.util.stream.StreamSupport.stream(settings.path("resume").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}

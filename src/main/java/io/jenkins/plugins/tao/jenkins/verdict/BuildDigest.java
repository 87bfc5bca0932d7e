package io.jenkins.plugins.tao.jenkins.verdict;

import hudson.FilePath;
import hudson.Launcher;
import hudson.model.Job;
import hudson.model.Run;
import io.jenkins.plugins.tao.gate.PastVerdict;
import io.jenkins.plugins.tao.jenkins.page.BuildFolder;
import io.jenkins.plugins.tao.jenkins.run.BuildOrigin;
import io.jenkins.plugins.tao.jenkins.run.BuildScope;
import io.jenkins.plugins.tao.jenkins.run.JobHistory;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.record.RunRecord;
import io.jenkins.plugins.tao.report.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jenkins.model.Jenkins;
import jenkins.util.BuildListenerAdapter;

/** What a night was: of one build, or of all jobs of its folder. */
public record BuildDigest(Run<?, ?> build) {
    /** The runs of the build itself. */
    public Digest ofBuild() throws IOException {
        List<RunRecord> runs = JobHistory.of(build.getParent()).read().records().stream()
                .filter(run -> BuildOrigin.isOf(build, run.origin()))
                .toList();
        List<PastVerdict> verdicts = JobHistory.verdicts(build.getParent()).read().stream()
                .filter(verdict -> verdict.url().equals(build.getUrl())
                        || runs.stream().anyMatch(run -> verdict.runs().contains(run.id())))
                .toList();
        return new Digest(build.getParent().getFullName() + " #" + build.getNumber(), address(), runs, verdicts);
    }

    /** The runs of this job and of the others of its folder that were submitted since {@code now} less {@code time}. */
    public Digest ofFolder(Duration time, Instant now) throws IOException {
        List<Job<?, ?>> jobs = new ArrayList<>(List.of(build.getParent()));
        jobs.addAll(Neighbours.jobs(build.getParent()));
        List<RunRecord> runs = new ArrayList<>();
        List<PastVerdict> verdicts = new ArrayList<>();
        for (Job<?, ?> job : jobs) {
            List<RunRecord> recent = JobHistory.of(job).read().records().stream()
                    .filter(run -> run.submittedAt().isAfter(now.minus(time)))
                    .toList();
            List<String> ids = recent.stream().map(RunRecord::id).toList();
            runs.addAll(recent);
            JobHistory.verdicts(job).read().stream()
                    .filter(verdict -> verdict.runs().stream().anyMatch(ids::contains))
                    .forEach(verdicts::add);
        }
        return new Digest("the last " + Durations.words(time), address(), runs, verdicts);
    }

    /** Empty where Jenkins does not know its own address. */
    private String address() {
        String root = Jenkins.get().getRootUrl();
        return root == null ? "" : root + build.getUrl();
    }

    /** Archives it in its three forms. */
    public void archive(BuildScope scope, Digest digest) throws IOException, InterruptedException {
        Path folder = BuildFolder.of(build).resolve("digest.files");
        Files.createDirectories(folder);
        Map<String, String> files = new LinkedHashMap<>();
        Map<String, String> texts =
                Map.of("digest.md", digest.markdown(), "digest.txt", digest.text(), "digest.html", digest.html());
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Files.writeString(folder.resolve(text.getKey()), text.getValue());
            files.put("tao/" + text.getKey(), text.getKey());
        }
        FilePath made = new FilePath(folder.toFile());
        build.pickArtifactManager()
                .archive(
                        made,
                        new Launcher.LocalLauncher(scope.listener()),
                        BuildListenerAdapter.wrap(scope.listener()),
                        files);
        made.deleteRecursive();
    }
}

package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hudson.model.Run;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The jobs of two builds side by side: those that do the same work are a pair, in the order in which they were submitted. */
public final class BuildComparison {
    private static final JsonMapper JSON = new JsonMapper();

    private final Run<?, ?> before;
    private final Run<?, ?> now;
    private final List<ComparedJob> pairs = new ArrayList<>();
    private final List<String> alone = new ArrayList<>();

    BuildComparison(Run<?, ?> before, Run<?, ?> now) {
        this.before = before;
        this.now = now;
        pair();
    }

    private void pair() {
        List<JobRecord> open = new ArrayList<>(TaoRunAction.of(before).getJobs());
        Map<String, RunRecord> then = new HashMap<>(); // each file is read once, however many jobs there are
        open.forEach(job -> record(before, job).ifPresent(known -> then.put(job.getId(), known)));
        for (JobRecord job : TaoRunAction.of(now).getJobs()) {
            Optional<RunRecord> record = record(now, job);
            Optional<JobRecord> same = record.flatMap(known -> open.stream()
                    .filter(other -> Optional.ofNullable(then.get(other.getId()))
                            .filter(old -> old.workName().equals(known.workName()))
                            .isPresent())
                    .findFirst());
            if (same.isEmpty()) {
                alone.add(now.getDisplayName() + " " + job.getId());
                continue;
            }
            open.remove(same.get());
            pairs.add(new ComparedJob(
                    Objects.requireNonNull(then.get(same.get().getId())),
                    record.orElseThrow(),
                    folder(before, same.get()),
                    folder(now, job)));
        }
        open.forEach(job -> alone.add(before.getDisplayName() + " " + job.getId()));
    }

    private static JobFolder folder(Run<?, ?> build, JobRecord job) {
        return new JobFolder(build.getRootDir().toPath(), job.getId());
    }

    private static Optional<RunRecord> record(Run<?, ?> build, JobRecord job) {
        Path file = build.getRootDir().toPath().resolve("tao").resolve(job.getId() + ".run/" + RunRecord.FILE);
        try {
            return Files.isRegularFile(file) ? Optional.of(RunRecord.parse(Files.readString(file))) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty(); // one that cannot be read is compared with nothing, and named so
        }
    }

    public Run<?, ?> getBefore() {
        return before;
    }

    public Run<?, ?> getNow() {
        return now;
    }

    public List<ComparedJob> getPairs() {
        return List.copyOf(pairs);
    }

    /** Jobs of either build that have no partner, or no record yet. */
    public List<String> getAlone() {
        return List.copyOf(alone);
    }

    ObjectNode json() throws IOException {
        ObjectNode json = JSON.createObjectNode();
        json.put("before", before.getNumber());
        json.put("now", now.getNumber());
        ArrayNode list = json.putArray("jobs");
        for (ComparedJob pair : pairs) {
            list.add(pair.json());
        }
        alone.forEach(json.putArray("alone")::add);
        return json;
    }
}

package io.jenkins.plugins.tao.jenkins.page;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** One job as a row of a table: texts to show and numbers to sort by. Never changed. */
public final class JobRow {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final int MOST_NODES = 2;
    private static final int SHORT = 6;
    private static final int MOST_KPIS = 4;

    private final JobRecord job;
    private final JobFacts facts;

    JobRow(JobRecord job) {
        this.job = job;
        facts = job.facts();
    }

    JobKind kind() {
        return JobKind.of(job);
    }

    /** Whether nothing of it will change any more as far as this build knows. */
    boolean settled() {
        return job.owner() == JobOwner.ENDED || job.owner() == JobOwner.LEFT;
    }

    public String getId() {
        return job.getId();
    }

    /** {@code waiting}, {@code running}, {@code succeeded} and so on. */
    public String getKind() {
        return kind().words();
    }

    /** All that is kept of it. */
    public JobRecord getRecord() {
        return job;
    }

    /** The network and the action; empty when they are not known. */
    public String getWork() {
        return facts.text(JobFacts.WORK);
    }

    /** What people tell it apart by: the values of its cell in a sweep, else its id. */
    public String getName() {
        String cell = facts.text(JobFacts.CELL);
        return cell.isEmpty() ? getId() : cell;
    }

    /** The end of the id, for jobs of one name; empty where the name is the id. */
    public String getShortId() {
        String end = getId().substring(getId().lastIndexOf('-') + 1);
        return getName().equals(getId()) ? "" : end.substring(0, Math.min(SHORT, end.length()));
    }

    /** The word of the backend, in the end the outcome; and who looks after it where that is not the build. */
    public String getState() {
        String owner =
                job.owner() == JobOwner.CANCEL ? ", being cancelled" : job.owner() == JobOwner.LEFT ? ", left" : "";
        return job.getState() + (kind() == JobKind.LOST ? "" : owner);
    }

    /** Why it waits or ended so. */
    public String getDetail() {
        return job.getDetail();
    }

    /** How far it is, such as {@code epoch 3/10}: kpis and the time that is left have their own places. */
    public String getProgress() {
        return job.getProgress().split(",", 2)[0];
    }

    /** The part that is done, 0 to 1; empty when it is not known. */
    public String getFraction() {
        return facts.text(JobFacts.FRACTION);
    }

    /** When the training itself expects to end, as in {@code 2026-01-31T12:00:00Z}; empty when it says nothing. */
    public String getEta() {
        return facts.text(JobFacts.ETA);
    }

    /** Since when it waits; empty when it does not. */
    public String getWaitsSince() {
        return kind() == JobKind.WAITING
                ? job.handle().map(handle -> handle.submittedAt().toString()).orElse("")
                : "";
    }

    /** Since when it runs; empty when it does not, or nobody says since when. */
    public String getRunsSince() {
        return kind() == JobKind.RUNNING ? facts.text(JobFacts.STARTED) : "";
    }

    /** How long it waited in seconds; -1 when that is not known. */
    private long waitSeconds() {
        OptionalDouble all = facts.number(JobFacts.QUEUE_SECONDS);
        return all.isPresent()
                ? (long) all.getAsDouble()
                : seconds(job.handle().map(JobHandle::submittedAt), facts.moment(JobFacts.STARTED));
    }

    public String getWait() {
        return words(waitSeconds());
    }

    /** How long it ran in seconds; -1 when that is not known. */
    private long runSeconds() {
        OptionalDouble all = facts.number(JobFacts.RUN_SECONDS);
        return all.isPresent()
                ? (long) all.getAsDouble()
                : seconds(facts.moment(JobFacts.STARTED), facts.moment(JobFacts.ENDED));
    }

    public String getRan() {
        return words(runSeconds());
    }

    private static long seconds(Optional<Instant> from, Optional<Instant> to) {
        return from.isPresent() && to.isPresent()
                ? Math.max(0, Duration.between(from.get(), to.get()).toSeconds())
                : -1;
    }

    private static String words(long seconds) {
        return seconds < 0 ? "" : Durations.words(Duration.ofSeconds(seconds));
    }

    /** {@code gpu01, gpu02 and 6 more}. */
    public String getNodes() {
        List<String> nodes = facts.nodes();
        String first = String.join(", ", nodes.subList(0, Math.min(MOST_NODES, nodes.size())));
        return nodes.size() <= MOST_NODES ? first : first + " and " + (nodes.size() - MOST_NODES) + " more";
    }

    /** All machines, a comma between. */
    public String getAllNodes() {
        return String.join(", ", facts.nodes());
    }

    /** GPU-hours of all attempts; empty when they are not known. */
    public String getGpuHours() {
        double hours = facts.number(JobFacts.GPU_SECONDS).orElse(-1) / SECONDS_PER_HOUR;
        return hours < 0 ? "" : String.format(Locale.ROOT, hours < 1 ? "%.3f" : "%.1f", hours);
    }

    /** {@code val_loss 0.4103}, a line each: the first of them. */
    public String getKpis() {
        return String.join(
                "\n",
                facts.kpis().entrySet().stream()
                        .limit(MOST_KPIS)
                        .map(kpi -> kpi.getKey() + " " + kpi.getValue())
                        .toList());
    }

    public String getExitCode() {
        return facts.text(JobFacts.EXIT_CODE);
    }

    /** The texts of the cells by column, what a page counts on from and what it sorts by; what is not known is absent. */
    ObjectNode json() {
        ObjectNode row =
                JsonNodeFactory.instance.objectNode().put("id", getId()).put("kind", getKind());
        ObjectNode cells = row.putObject("cells");
        put(cells, "name", getName());
        put(cells, "shortId", getShortId());
        put(cells, "target", job.getTarget());
        put(cells, "nativeId", job.getNativeId());
        put(cells, "work", getWork());
        put(cells, "state", getState());
        put(cells, "detail", getDetail());
        put(cells, "progress", getProgress());
        put(cells, "wait", getWait());
        put(cells, "ran", getRan());
        put(cells, "nodes", getNodes());
        put(cells, "allNodes", getAllNodes());
        put(cells, "attempt", Integer.toString(job.getAttempt()));
        put(cells, "gpuHours", getGpuHours());
        put(cells, "kpis", getKpis());
        put(cells, "exitCode", getExitCode());
        put(row, "fraction", getFraction());
        put(row, "eta", getEta());
        put(row, "waitsSince", getWaitsSince());
        put(row, "runsSince", getRunsSince());
        put(row, "waitSeconds", waitSeconds() < 0 ? "" : Long.toString(waitSeconds()));
        put(row, "runSeconds", runSeconds() < 0 ? "" : Long.toString(runSeconds()));
        put(row, "sweep", facts.text(JobFacts.SWEEP));
        put(row, "token", job.getToken());
        return row;
    }

    private static void put(ObjectNode into, String name, String text) {
        if (!text.isEmpty()) {
            into.put(name, text);
        }
    }
}

package io.jenkins.plugins.tao.jenkins.page;

import hudson.model.Api;
import hudson.model.BuildBadgeAction;
import hudson.model.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import jenkins.model.RunAction2;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;
import org.kohsuke.stapler.export.Exported;
import org.kohsuke.stapler.export.ExportedBean;

/**
 * The TAO jobs of one build. Made from the file {@code tao/jobs.jsonl} of the build, so {@code build.xml} has no part in it.
 * Version 0.1 kept the jobs in {@code build.xml}: those are still read, and stay there.
 */
@ExportedBean
public final class TaoRunAction implements RunAction2, BuildBadgeAction {
    private static final Logger LOGGER = Logger.getLogger(TaoRunAction.class.getName());

    /** Of more failures than these the pages of the jobs tell. */
    private static final int MOST_CARDS = 5;

    /** As many as one of its pages has. */
    private static final int FIRST_ROWS = 50;

    /** As version 0.1 saved it. */
    private @Nullable List<JobRecord> jobs;

    private transient volatile @Nullable Run<?, ?> run;
    private transient @Nullable JobFile file;
    private transient @Nullable Map<String, JobRecord> records;
    /** What the file says of jobs of which more is known by now. */
    private transient @Nullable Map<String, JobRecord> written;

    private transient @Nullable JobStates states;
    private transient @Nullable GateFile gates;
    private transient @Nullable Map<String, JobTail> tails;

    TaoRunAction(Run<?, ?> run) {
        this.run = run;
    }

    /** The jobs of {@code run}, which may have none yet. */
    public static TaoRunAction of(Run<?, ?> run) {
        return TaoRunActions.get().of(run);
    }

    /**
     * All jobs of the build, in the order they were submitted or first waited for.
     *
     * @throws UncheckedIOException if they cannot be read; the next call reads them again
     */
    @Exported(inline = true)
    public synchronized List<JobRecord> getJobs() {
        return List.copyOf(records().values());
    }

    /** The job of this id. */
    public synchronized Optional<JobRecord> job(String id) {
        return Optional.ofNullable(records().get(id));
    }

    /**
     * Adds a job, unless the build has one of this id already; on return that survives a crash.
     *
     * @throws UncheckedIOException if it could not be saved
     */
    public void add(JobRecord job) {
        synchronized (this) {
            if (records().containsKey(job.getId())) {
                return;
            }
        }
        try {
            put(job);
            file().force();
        } catch (IOException e) {
            throw new UncheckedIOException("could not save the jobs of the build: " + e.getMessage(), e);
        }
    }

    /** Changes the job of this id; a disk that is full or cannot be read costs what is saved of it and nothing else. */
    public synchronized void update(String id, UnaryOperator<JobRecord> change) {
        try {
            JobRecord before = records().get(id);
            if (before != null) {
                put(change.apply(before));
            }
        } catch (IOException | UncheckedIOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not save the state of " + id);
        }
    }

    /** Shows a change that need not be saved, such as how far a job is; the next {@link #update} saves it too. */
    public synchronized void show(String id, UnaryOperator<JobRecord> change) {
        JobRecord before = records().get(id);
        if (before != null) {
            unwritten().putIfAbsent(id, before);
            records().put(id, change.apply(before));
            states = null;
        }
    }

    private Map<String, JobRecord> unwritten() {
        written = Objects.requireNonNullElseGet(written, HashMap::new);
        return written;
    }

    /** Puts on the disk what {@link #update} has changed; a full disk is told to the administrator. */
    public void force() {
        try {
            file().force();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not save the jobs of a build");
        }
    }

    private synchronized void put(JobRecord now) throws IOException {
        JobRecord shown = records().put(now.getId(), now);
        states = null;
        JobRecord saved = unwritten().getOrDefault(now.getId(), shown);
        unwritten().put(now.getId(), saved);
        file().add(saved, now, records().values());
        unwritten().remove(now.getId());
    }

    private synchronized Map<String, JobRecord> records() {
        Map<String, JobRecord> known = records;
        if (known == null) {
            known = new LinkedHashMap<>();
            for (JobRecord old : jobs == null ? List.<JobRecord>of() : jobs) {
                known.put(old.getId(), old);
            }
            known.putAll(saved());
            records = known;
        }
        return known;
    }

    private Map<String, JobRecord> saved() {
        try {
            return file().read();
        } catch (IOException | UncheckedIOException e) { // a stream of lines throws the second
            throw new UncheckedIOException(
                    "could not read the jobs of the build: " + e.getMessage(),
                    e instanceof IOException plain ? plain : new IOException(e));
        }
    }

    /** The rows of the page, and the same as JSON. */
    synchronized JobStates states() {
        JobStates known = states;
        Run<?, ?> build = run;
        boolean building = build != null && build.isBuilding();
        if (known == null || known.building() != building) {
            known = JobStates.of(records().values(), building);
            states = known;
        }
        return known;
    }

    /** All jobs as rows. */
    public List<JobRow> getRows() {
        return states().rows();
    }

    /** Those that the page is sent with; a browser makes the others of {@code tao/state}. */
    public List<JobRow> getFirstRows() {
        List<JobRow> rows = getRows();
        return rows.subList(0, Math.min(FIRST_ROWS, rows.size()));
    }

    /** The words above the table. */
    public String getTotals() {
        return states().totals();
    }

    /** All that the status page of the build says of them. */
    public BuildSummary getSummary() {
        return new BuildSummary(states(), getGates());
    }

    /** What a person needs of each job that failed, of the first few. */
    public List<JobCard> getCards() throws IOException {
        List<JobCard> cards = new ArrayList<>();
        for (JobRecord job : getJobs()) {
            if (cards.size() < MOST_CARDS) {
                new JobFolder(build(), job.getId()).card().ifPresent(cards::add);
            }
        }
        return cards;
    }

    /** What gates have said of the build. */
    @Exported(inline = true)
    public List<GateAnswer> getGates() {
        try {
            return gateFile().read();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not read the answers of gates of a build");
            return List.of();
        }
    }

    /**
     * Keeps an answer of a gate; a full disk costs that line alone.
     *
     * @param options what the gate asks beside its title; empty for none
     * @return its title, with an addition where another question of the build has it
     */
    public String judged(GateAnswer answer, String options) {
        try {
            return gateFile().add(answer, options);
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not save the answer of a gate of a build");
            return answer.getGate();
        }
    }

    private synchronized GateFile gateFile() {
        gates = Objects.requireNonNullElseGet(gates, () -> new GateFile(() -> folder().resolve("gates.jsonl")));
        return gates;
    }

    /** {@code tao/job/ID}: the page of one job. */
    public @Nullable JobPage getJob(String id) {
        return job(id).map(job -> new JobPage(this, build(), job)).orElse(null);
    }

    /** {@code tao/compare}: this build beside another one. */
    public ComparePage getCompare() {
        return new ComparePage(build());
    }

    /** Shows more lines of a job's log; no secret is in them. */
    public void follow(String id, List<String> lines) {
        tails().computeIfAbsent(id, key -> new JobTail()).add(lines);
    }

    /** The last lines of a job's log that this process has seen. */
    List<String> tail(String id) {
        JobTail tail = tails().get(id);
        return tail == null ? List.of() : tail.lines();
    }

    /** Keeps the last lines of a job that has ended beside its build, and no longer in memory. */
    public void keepTail(String id) {
        try {
            new JobFolder(build(), id).keepTail(tail(id));
            tails().remove(id);
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, e, () -> "could not save the last lines of " + id);
        }
    }

    private synchronized Map<String, JobTail> tails() {
        tails = Objects.requireNonNullElseGet(tails, ConcurrentHashMap::new);
        return tails;
    }

    private Path folder() {
        return BuildFolder.of(build());
    }

    private Run<?, ?> build() {
        Run<?, ?> build = run;
        if (build == null) {
            throw new IllegalStateException("the jobs of no build");
        }
        return build;
    }

    /** {@code tao/state}: the rows as JSON; a browser that has them already gets 304 and nothing else. */
    public void doState(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        states().json().answer(request, response);
    }

    /** Whether there is anything to show. */
    boolean hasJobs() {
        return file().exists();
    }

    private synchronized JobFile file() {
        file = Objects.requireNonNullElseGet(file, () -> new JobFile(() -> folder().resolve("jobs.jsonl")));
        return file;
    }

    /** The same as JSON or XML, below {@code api/}. */
    public Api getApi() {
        return new Api(this);
    }

    /** The build, for links. */
    public @Nullable Run<?, ?> getRun() {
        return run;
    }

    @Override
    public void onAttached(Run<?, ?> r) {
        run = r;
    }

    @Override
    public void onLoad(Run<?, ?> r) {
        run = r;
    }

    @Override
    public String getIconFileName() {
        return "symbol-tao plugin-tao-run";
    }

    @Override
    public String getDisplayName() {
        return Messages.Page_displayName();
    }

    @Override
    public String getUrlName() {
        return "tao";
    }
}

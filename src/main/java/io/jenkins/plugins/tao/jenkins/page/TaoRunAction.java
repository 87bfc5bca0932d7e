package io.jenkins.plugins.tao.jenkins.page;

import hudson.model.Api;
import hudson.model.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import jenkins.model.RunAction2;
import org.jspecify.annotations.Nullable;
import org.kohsuke.stapler.export.Exported;
import org.kohsuke.stapler.export.ExportedBean;

/** The TAO jobs of one build. */
@ExportedBean
public final class TaoRunAction implements RunAction2 {
    private volatile List<JobRecord> jobs = new ArrayList<>();
    private transient volatile @Nullable Run<?, ?> run;
    private transient volatile @Nullable Map<String, String> progress;

    /** The action of {@code run}, added if it has none yet. */
    public static TaoRunAction of(Run<?, ?> run) {
        synchronized (run) {
            return Optional.ofNullable(run.getAction(TaoRunAction.class)).orElseGet(() -> addedTo(run));
        }
    }

    private static TaoRunAction addedTo(Run<?, ?> run) {
        TaoRunAction action = new TaoRunAction();
        run.addAction(action);
        return action;
    }

    /** All jobs of the build, in the order they were submitted or first waited for. */
    @Exported(inline = true)
    public List<JobRecord> getJobs() {
        return List.copyOf(jobs);
    }

    /** The job of this id. */
    public Optional<JobRecord> job(String id) {
        return jobs.stream().filter(job -> job.getId().equals(id)).findFirst();
    }

    /** Adds a job, unless the build has one of this id already. */
    public synchronized void add(JobRecord job) {
        if (job(job.getId()).isEmpty()) {
            List<JobRecord> more = new ArrayList<>(jobs);
            more.add(job);
            jobs = more;
        }
    }

    /** Changes the job of this id. */
    public synchronized void update(String id, UnaryOperator<JobRecord> change) {
        List<JobRecord> changed = new ArrayList<>();
        jobs.forEach(job -> changed.add(job.getId().equals(id) ? change.apply(job) : job));
        jobs = changed;
    }

    /** Shows how far a job is, until Jenkins ends; progress is not worth a write to the disk. */
    public synchronized void progress(String id, String line) {
        Map<String, String> more = new LinkedHashMap<>(progressById());
        more.put(id, line);
        progress = more;
    }

    /** The newest progress of a job; empty when none was told since Jenkins started. */
    public String progressOf(String id) {
        return progressById().getOrDefault(id, "");
    }

    private Map<String, String> progressById() {
        Map<String, String> known = progress;
        return known == null ? Map.of() : known;
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
        return "symbol-flask";
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

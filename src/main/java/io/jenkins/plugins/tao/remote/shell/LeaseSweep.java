package io.jenkins.plugins.tao.remote.shell;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What one controller remembers between its looks at leases: which jobs others hold, and whether another process uses its identity. */
public final class LeaseSweep {
    /** What a controller is told whose identity another process uses. */
    public static final String TWIN = "Another process works under the same identity as this controller: one of the two"
            + " is a copy, such as a restored backup or a cloned disk.";

    /** What to do then. */
    public static final String TWIN_REMEDY = "Stop the copy, or remove its file io.jenkins.plugins.tao.controller and"
            + " restart it; until then this controller ends no job and starts no new attempt.";

    private final Controller controller;
    private final Set<String> looked = new HashSet<>();
    private final Map<String, String> held = new HashMap<>();
    private boolean begun;
    private boolean twin;

    /** Nothing looked at yet. */
    public LeaseSweep(Controller controller) {
        this.controller = controller;
    }

    /** The functions of leases, for any script. */
    public String functions() {
        return LeaseShell.of(controller);
    }

    /** The same for a look at {@code jobs}, which names in {@code lease_new} those whose holder is not known yet. */
    public synchronized String forLookAt(Collection<JobHandle> jobs) {
        Set<String> keys = jobs.stream().map(job -> job.key().value()).collect(Collectors.toSet());
        looked.retainAll(keys);
        held.keySet().retainAll(keys);
        List<String> fresh = keys.stream().filter(key -> !looked.contains(key)).toList();
        return String.join(
                "\n", functions(), "lease_new='" + String.join(" ", fresh) + "'", "lease_begun=" + (begun ? "1" : ""));
    }

    /** Takes what {@code lease_renew} or {@code lease_foreign} answered to such a look, its lines. */
    public synchronized void take(Collection<JobHandle> jobs, List<String> lines) {
        if (lines.contains("swept") || lines.contains("twin")) {
            held.clear();
            begun = true;
            twin = lines.contains("twin");
        }
        for (String line : lines) {
            LeaseNote.parse(line).ifPresent(note -> held.put(note.name(), notice(note)));
        }
        jobs.forEach(job -> looked.add(job.key().value()));
    }

    /** What a watch tells of a job that another controller holds. */
    public static String notice(LeaseNote note) {
        return "job " + note.name() + " is held by " + note.words()
                + ": this watch only looks on. It cancels nothing and"
                + " starts no new attempt unless the job is taken over: taoWait(…, takeOver: true), or tao wait --take-over.";
    }

    /** Adds what a person should know of who holds the job. */
    public synchronized JobStatus annotated(JobHandle job, JobStatus status) {
        Optional<String> notice = Optional.ofNullable(held.get(job.key().value()));
        JobStatus told = notice.map(status::withNotice).orElse(status);
        return twin ? told.withNotice(TWIN + " " + TWIN_REMEDY) : told;
    }

    /** Forgets that another one held the job. */
    public synchronized void tookOver(JobHandle job) {
        held.remove(job.key().value());
    }

    /**
     * Throws while another process uses the same identity: leases cannot tell the two apart.
     *
     * @throws Rejected then
     */
    public synchronized void checkAlone() throws Rejected {
        if (twin) {
            throw new Rejected(TWIN, TWIN_REMEDY);
        }
    }
}

package io.jenkins.plugins.tao.backend.slurm;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.LeaseNote;
import io.jenkins.plugins.tao.remote.LeaseShell;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What one controller remembers between its looks: who else holds jobs, and how much memory they held. */
final class SlurmSweep {
    private static final String TWIN =
            "Another process works under the same identity as this controller: one of the two"
                    + " is a copy, such as a restored backup or a cloned disk.";
    private static final String TWIN_REMEDY = "Stop the copy, or remove its file io.jenkins.plugins.tao.controller and"
            + " restart it; until then this controller ends no job and starts no new attempt.";

    private final Controller controller;
    private final Set<String> looked = new HashSet<>();
    private final Map<String, String> held = new HashMap<>();
    private final Map<String, String> memoryWarnings = new HashMap<>();
    private final SlurmMemory memory = new SlurmMemory();
    private boolean begun;
    private boolean twin;

    SlurmSweep(Controller controller) {
        this.controller = controller;
    }

    /** The functions of leases, for any script. */
    String functions() {
        return LeaseShell.of(controller);
    }

    /** The same for a look at {@code jobs}, which names those whose holder is not known yet. */
    synchronized String forLookAt(Collection<JobHandle> jobs) {
        Set<String> keys = jobs.stream().map(job -> job.key().value()).collect(Collectors.toSet());
        looked.retainAll(keys);
        held.keySet().retainAll(keys);
        List<String> fresh = keys.stream().filter(key -> !looked.contains(key)).toList();
        return String.join(
                "\n", functions(), "lease_new='" + String.join(" ", fresh) + "'", "lease_begun=" + (begun ? "1" : ""));
    }

    /**
     * Takes the answer to such a look.
     *
     * @return whether it is time to tidy up
     */
    synchronized boolean take(Collection<JobHandle> jobs, SlurmSections answer) {
        List<String> lines = new ArrayList<>(answer.linesOf("leases"));
        if (lines.contains("swept") || lines.contains("twin")) {
            held.clear();
            begun = true;
            twin = lines.contains("twin");
        }
        for (String line : lines) {
            LeaseNote.parse(line).ifPresent(note -> held.put(note.name(), notice(note)));
        }
        jobs.forEach(job -> looked.add(job.key().value()));
        memoryWarnings.clear();
        if (answer.part("granted").isPresent()) {
            memoryWarnings.putAll(memory.look(answer.linesOf("granted"), answer.linesOf("memory")));
        }
        return answer.part("tidy").isPresent();
    }

    private static String notice(LeaseNote note) {
        return "job " + note.name() + " is held by " + note.words()
                + ": this watch only looks on. It cancels nothing and"
                + " starts no new attempt unless the job is taken over: taoWait(…, takeOver: true), or tao wait --take-over.";
    }

    /** Adds what a person should know of the job. */
    synchronized JobStatus annotated(JobHandle job, JobStatus status) {
        JobStatus told = status;
        for (Optional<String> notice : List.of(
                Optional.ofNullable(held.get(job.key().value())),
                Optional.ofNullable(memoryWarnings.get(job.nativeId())),
                twin ? Optional.of(TWIN + " " + TWIN_REMEDY) : Optional.<String>empty())) {
            if (notice.isPresent()) {
                told = told.withNotice(notice.get());
            }
        }
        return told;
    }

    /** Forgets that another one held the job. */
    synchronized void tookOver(JobHandle job) {
        held.remove(job.key().value());
    }

    /**
     * Throws while another process uses the same identity: leases cannot tell the two apart.
     *
     * @throws Rejected then
     */
    synchronized void checkAlone() throws Rejected {
        if (twin) {
            throw new Rejected(TWIN, TWIN_REMEDY);
        }
    }
}

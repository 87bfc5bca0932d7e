package io.jenkins.plugins.tao.backend.slurm.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.slurm.options.ArrayId;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmLayout;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmCancel;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmPoll;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmAccess;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmSending;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Slurm by its {@code slurmrestd}; the scripts are told what it answered. */
public final class RestAccess implements SlurmAccess {
    private final SlurmApi api;
    private final RestSubmission submission;

    public RestAccess(SlurmApi api) {
        this.api = api;
        this.submission = new RestSubmission(api);
    }

    @Override
    public Look look(Collection<JobHandle> jobs) throws BackendException {
        return new RestLook(api, jobs).ask();
    }

    @Override
    public String beforeList(boolean states) throws BackendException {
        JsonNode mine =
                api.queue(job -> RestRows.text(job.path("user_name")).equals(api.user()) && RestRows.isLive(job));
        return RestShell.list(RestRows.all(mine, job -> {
            String line = RestRows.live(job);
            return states ? line : line.substring(0, line.lastIndexOf(' '));
        }));
    }

    @Override
    public String beforeChecks() throws BackendException {
        return RestShell.checks(api.about(), RestRows.all(api.partitions(), RestRows::partition));
    }

    /** Accounting alone; a diagnosis goes without where it does not answer. */
    @Override
    public String beforeDiagnosis(Collection<String> ids) {
        List<String> rows = new ArrayList<>();
        for (String id : new TreeSet<>(
                ids.stream().map(each -> each.replaceFirst("_.*", "")).toList())) {
            try {
                api.past(id).ifPresent(jobs -> rows.addAll(RestRows.all(jobs, RestRows::diagnosis)));
            } catch (BackendException e) {
                rows.clear();
            }
        }
        Set<String> wanted = Set.copyOf(ids);
        return RestShell.diagnosis(rows.stream()
                .filter(row -> wanted.contains(row.split("\\|", 2)[0]))
                .toList());
    }

    @Override
    public String send(SlurmSending sending, Shell shell) throws BackendException {
        return submission.send(sending, shell);
    }

    /** The mark first, as always; then the job, if its name is still ours. */
    @Override
    public void cancel(JobHandle job, Shell shell) throws BackendException {
        Reply marked = shell.run(RestShell.mark() + SlurmCancel.render(job));
        SlurmCancel.checkHeld(job, marked.text());
        String whole = job.nativeId().replaceFirst("_.*", "");
        boolean ours = whole.matches("\\d+")
                && api.job(whole).map(jobs -> isNamed(jobs, job)).orElse(false);
        if (ours) {
            api.cancel(ArrayId.isMember(job) ? job.nativeId() : whole);
        }
        if (!ArrayId.isMember(job)) {
            shell.run(SlurmPoll.tidy(List.of(job)));
        }
    }

    @Override
    public Map<JobHandle, BackendException> cancelAll(List<JobHandle> jobs, Shell shell) throws BackendException {
        Map<JobHandle, BackendException> refusals = new LinkedHashMap<>();
        for (JobHandle job : jobs) {
            try {
                cancel(job, shell);
            } catch (BackendException e) {
                refusals.put(job, e);
            }
        }
        return refusals;
    }

    private static boolean isNamed(JsonNode jobs, JobHandle job) {
        String name = SlurmLayout.jobName(job.key());
        for (JsonNode record : jobs) {
            if (RestRows.text(record.path("name")).equals(name)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        api.close();
    }
}

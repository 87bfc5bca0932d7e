package io.jenkins.plugins.tao.backend.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.OtherWork;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesTarget;
import io.jenkins.plugins.tao.backend.kubernetes.options.MemberIndices;
import io.jenkins.plugins.tao.backend.kubernetes.request.AttemptRequest;
import io.jenkins.plugins.tao.backend.kubernetes.request.AttemptSecrets;
import io.jenkins.plugins.tao.backend.kubernetes.request.CompanionRequest;
import io.jenkins.plugins.tao.backend.kubernetes.request.JobRequest;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import io.jenkins.plugins.tao.backend.kubernetes.status.EndNote;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.backend.kubernetes.view.PodView;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Starts jobs, each once. The Job's name follows from its key, so the API server itself keeps a second one out. It is
 * made suspended; Secret and Service, which it owns, come next, and then it is let go. A submission that breaks off is
 * finished by the next one with the same key; until then nothing runs, and when the Job goes all goes with it. A further
 * attempt is made before the one that it replaces is ended, and let go after it: wherever it breaks off, it is taken up again.
 */
record KubernetesSubmission(KubernetesTarget target, KubernetesApi api, Optional<String> home, Controller controller) {
    static final String MEMBERS_REMEDY =
            "Use Kubernetes 1.29 or newer, or leave out 'carry: array' (the option 'members'): then each is a separate job.";

    private static final String LET_GO = "{\"metadata\":{\"annotations\":{\"" + KubernetesNames.HELD
            + "\":\"false\"}},\"spec\":{\"suspend\":false}}";
    private static final String LEAVE_TO_KUEUE =
            "{\"metadata\":{\"annotations\":{\"" + KubernetesNames.HELD + "\":\"false\"}}}";

    JobHandle submit(JobSpec spec, JobKey key, Set<String> avoidNodes) throws BackendException {
        KubernetesPlan plan = KubernetesPlan.of(target, spec, key, home);
        Job wanted = AttemptRequest.avoiding(JobRequest.render(plan), avoidNodes);
        held(wanted);
        Job job = make(wanted, key, 1);
        if (isHeld(job)) {
            accompany(job, plan.payload().secrets());
            letGo(job);
        }
        return handle(target, job, key, 1, results(job, plan.resultsDirectory()), made(job));
    }

    /** Says in the Job whose it is. */
    private void held(Job job) {
        if (!controller.id().isEmpty()) {
            job.getMetadata().getAnnotations().put(KubernetesNames.CONTROLLER, controller.id());
        }
    }

    static JobHandle handle(KubernetesTarget target, Job job, JobKey key, int attempt, String results, Instant made) {
        Reference at = Reference.of(job);
        return new JobHandle(
                target.name(),
                KubernetesType.NAME,
                key,
                attempt,
                KubernetesNames.nativeId(job),
                "/apis/batch/v1/namespaces/" + at.namespace() + "/jobs/" + at.name(),
                results,
                made);
    }

    /** Starts the attempt after {@code previous}, whose Job {@code before} is if it is there. */
    JobHandle resubmit(JobHandle previous, Optional<Job> before, Map<String, Secret> secrets, Set<String> avoidNodes)
            throws BackendException {
        int number = previous.attempt() + 1;
        Reference next =
                new Reference(Reference.of(previous).namespace(), KubernetesNames.attempt(previous.key(), number));
        Optional<Job> begun = api.job(next);
        Job attempt = begun.isPresent() ? begun.get() : next(previous, before, next.name(), avoidNodes);
        Map<String, Secret> all =
                begun.isEmpty() || isHeld(attempt) ? AttemptSecrets.of(attempt, secrets, target.s3()) : secrets;
        Job job = make(attempt, previous.key(), number);
        if (isHeld(job)) {
            accompany(job, all);
        }
        if (before.isPresent()) {
            replace(before.get(), number);
        }
        if (isHeld(job)) {
            letGo(job);
        }
        return previous.nextAttempt(KubernetesNames.nativeId(job), made(job));
    }

    private Job next(JobHandle previous, Optional<Job> before, String name, Set<String> avoidNodes) throws Rejected {
        int number = previous.attempt() + 1;
        Job last = before.orElseThrow(() -> new Rejected(
                "The Job '" + Reference.of(previous) + "' is gone from target '" + target.name()
                        + "', so there is nothing to make attempt " + number + " of.",
                "Submit the job again. A longer ttl keeps finished Jobs."));
        requireRest(last, previous);
        Job attempt = AttemptRequest.render(last, number, name, avoidNodes);
        held(attempt);
        return attempt;
    }

    /** Ends a Job whose place another attempt takes, and notes first that machines were to blame. */
    private void replace(Job last, int next) throws BackendException {
        JobView bare = JobView.of(last);
        if (bare.isOver() || bare.isEndedByUs()) {
            return;
        }
        end(last, KubernetesNames.FINISHED, EndNote.replaced(KubernetesBackend.view(api, last), next));
    }

    private static void requireRest(Job last, JobHandle previous) throws Rejected {
        Optional<MemberIndices> members = JobView.of(last).members();
        if (members.isPresent()
                && AttemptRequest.rest(last, members.get()).list().isEmpty()) {
            throw new Rejected(
                    "All members of " + previous.shortName() + " have completed.",
                    "There is nothing to start again: look at its results.");
        }
    }

    /** Ends a Job as it was read, and keeps its object with a note, so that whoever looks finds why; one that has changed since stays. */
    void end(Job job, String note, String value) throws BackendException {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("resourceVersion", job.getMetadata().getResourceVersion());
        metadata.putObject("annotations").put(note, value);
        patch.putObject("spec").put("activeDeadlineSeconds", 1);
        api.patch(Reference.of(job), "end", patch.toString());
    }

    /** Makes the Job, or finds it. */
    private Job make(Job wanted, JobKey key, int attempt) throws BackendException {
        Optional<Job> made = wanted.getMetadata().getUid() == null ? api.create(wanted) : Optional.of(wanted);
        Job job = made.isPresent() ? made.get() : existing(Reference.of(wanted));
        requireOurs(job, key, attempt);
        requireSame(wanted, job, key);
        if (job.getMetadata().getDeletionTimestamp() != null) {
            throw new Unreachable(
                    "The Job '" + Reference.of(job) + "' of target '" + target.name() + "' is being deleted since "
                            + job.getMetadata().getDeletionTimestamp()
                            + ", and another of its name cannot be made before"
                            + " it is gone.",
                    "It is sent again. A Job that stays waits for its pods: kubectl get pods --namespace "
                            + job.getMetadata().getNamespace() + " -l job-name="
                            + job.getMetadata().getName());
        }
        requireMembers(job);
        return job;
    }

    private void accompany(Job job, Map<String, Secret> secrets) throws BackendException {
        for (HasMetadata companion : CompanionRequest.of(job, secrets)) {
            api.createCompanion(companion);
        }
    }

    private void letGo(Job job) throws BackendException {
        boolean kueue = job.getMetadata().getLabels().containsKey(KubernetesNames.QUEUE);
        api.patch(Reference.of(job), "start", kueue ? LEAVE_TO_KUEUE : LET_GO);
    }

    /** A server that does not know the field leaves it out without a word; then one failed member would end all others. */
    private void requireMembers(Job job) throws BackendException {
        boolean asked = JobView.of(job).members().isPresent();
        if (asked && isHeld(job) && job.getSpec().getBackoffLimitPerIndex() == null) {
            api.delete(Reference.of(job));
            throw new Rejected(
                    "The cluster of target '" + target.name()
                            + "' has no backoffLimitPerIndex: one failed member would end all others. The Job was taken back"
                            + " before any pod of it started.",
                    MEMBERS_REMEDY);
        }
    }

    private static boolean isHeld(Job job) {
        return "true".equals(job.getMetadata().getAnnotations().get(KubernetesNames.HELD));
    }

    private Job existing(Reference at) throws BackendException {
        return api.job(at)
                .orElseThrow(() -> new Unreachable(
                        "The Job '" + at + "' of target '" + target.name() + "' went away while it was looked at.",
                        "It is sent again."));
    }

    private void requireOurs(Job job, JobKey key, int attempt) throws Rejected {
        Map<String, String> notes = job.getMetadata().getAnnotations();
        Map<String, String> labels = job.getMetadata().getLabels();
        boolean ours = notes != null
                && key.value().equals(notes.get(KubernetesNames.KEY))
                && labels != null
                && String.valueOf(attempt).equals(labels.get(KubernetesNames.ATTEMPT));
        if (!ours) {
            throw new Rejected(
                    "There is a Job '" + Reference.of(job) + "' on target '" + target.name()
                            + "' that is not this job's, and it is left alone.",
                    "Give the job another id, or delete that one: kubectl delete job "
                            + job.getMetadata().getName() + " --namespace "
                            + job.getMetadata().getNamespace());
        }
    }

    /** A second submission with the same id finds the first one's job; it must have asked for the same. */
    private void requireSame(Job wanted, Job found, JobKey key) throws Rejected {
        for (String note : new String[] {KubernetesNames.WORK, KubernetesNames.SPEC}) {
            String asked = wanted.getMetadata().getAnnotations().get(note);
            String runs = found.getMetadata().getAnnotations().get(note);
            if (asked != null && runs != null && !asked.equals(runs)) {
                throw OtherWork.refused(target.name(), key);
            }
        }
    }

    private static String results(Job job, String otherwise) {
        return job.getMetadata().getAnnotations().getOrDefault(KubernetesNames.RESULTS, otherwise);
    }

    private static Instant made(Job job) {
        return PodView.time(job.getMetadata().getCreationTimestamp()).orElse(Instant.EPOCH);
    }
}

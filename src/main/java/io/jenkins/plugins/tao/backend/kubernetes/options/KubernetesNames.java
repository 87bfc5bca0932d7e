package io.jenkins.plugins.tao.backend.kubernetes.options;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.text.Fingerprint;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What things are called in the cluster. Pure. */
public final class KubernetesNames {
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String OURS = "tao-run";
    public static final String JOB = "tao-run.jenkins.io/job";
    public static final String ATTEMPT = "tao-run.jenkins.io/attempt";
    public static final String KEY = "tao-run.jenkins.io/key";
    public static final String RESULTS = "tao-run.jenkins.io/results";
    /** Where results are sent to in S3, for whoever fetches them. */
    public static final String ADDRESS = "tao-run.jenkins.io/results-address";

    /** The buckets that the job uses, for the keys of its further attempts. */
    public static final String BUCKETS = "tao-run.jenkins.io/buckets";

    /** {@code true} on a Job whose Secret or Service are still to be made. */
    public static final String HELD = "tao-run.jenkins.io/held";

    /** A fingerprint of what the job runs, by which a second submission with the same id is compared. */
    public static final String WORK = "tao-run.jenkins.io/work";

    /** The nodes that this attempt avoids because they failed, separated by commas. */
    public static final String AVOIDED = "tao-run.jenkins.io/avoided-nodes";

    /** The same of its experiment spec. */
    public static final String SPEC = "tao-run.jenkins.io/spec";

    public static final String START_DEADLINE = "tao-run.jenkins.io/start-deadline-seconds";
    public static final String PULL_DEADLINE = "tao-run.jenkins.io/pull-deadline-seconds";
    /** On a Job that we ended for a reason of ours, which is its value. */
    public static final String ENDED = "tao-run.jenkins.io/ended-because";

    /** On a Job that we ended though its course was run, for side containers or a lost node held its pods: how it had ended. */
    public static final String FINISHED = "tao-run.jenkins.io/finished";

    /** How long the command may run, in seconds. */
    public static final String LIMIT = "tao-run.jenkins.io/time-limit-seconds";

    /** On a Job of a queue of Kueue: what it asks of nodes without what the queue adds, as JSON. */
    public static final String NODES_ASKED = "tao-run.jenkins.io/nodes-asked";

    /** On a Job that is about to be deleted: who asked for it. */
    public static final String CANCELLED = "tao-run.jenkins.io/cancelled-by";

    /** The commit of the job's code. */
    public static final String COMMIT = "tao-run.jenkins.io/commit";

    /** The address of the build that asked for the job. */
    public static final String ORIGIN = "tao-run.jenkins.io/build";

    /** The id of the controller that sent the job. */
    public static final String CONTROLLER = "tao-run.jenkins.io/controller";

    /** On a pod that reads a job's volume: the Job, or {@code path} where somebody only looks at one. */
    public static final String FETCH = "tao-run.jenkins.io/fetch";

    /** {@code true} or {@code false} on a Job that says whether its files are read from their volume. */
    public static final String FROM_VOLUME = "tao-run.jenkins.io/fetch-from-volume";

    /** The members of a Job that has some, as {@code 0,2-5}: which of them each completion index stands for, in order. */
    public static final String MEMBERS = "tao-run.jenkins.io/members";

    /** Those that earlier attempts completed. */
    public static final String MEMBERS_DONE = "tao-run.jenkins.io/members-done";

    public static final String INDEX = "batch.kubernetes.io/job-completion-index";
    public static final String JOB_NAME = "job-name";
    public static final String QUEUE = "kueue.x-k8s.io/queue-name";
    public static final String CONTAINER = "main";
    /** The container's own Job; differs between attempts. */
    public static final String JOB_VARIABLE = "TAO_KUBERNETES_JOB";

    /** In which a member finds its index. */
    public static final String MEMBER_VARIABLE = "TAO_MEMBER";

    /** The members of a further attempt, separated by blanks. */
    public static final String MEMBERS_VARIABLE = "TAO_MEMBERS";

    /** A pod of an Indexed Job needs {@code <job>-<index>} within 63 characters, an attempt {@code -r<number>}. */
    private static final int LONGEST_STEM = 52;

    private static final int DIGITS = 8;

    /** Behind the name of a Job with members. */
    private static final Pattern MEMBERS_FORM = Pattern.compile("\\[([0-9,-]+)]$");

    private KubernetesNames() {}

    /** The members of {@code job}; empty for a job that has none. */
    public static Optional<MemberIndices> members(JobHandle job) {
        Matcher form = MEMBERS_FORM.matcher(job.nativeId());
        return form.find() ? Optional.of(MemberIndices.parse(form.group(1))) : Optional.empty();
    }

    /** What a handle of {@code job} calls it: its members, where it has some, stand behind its name. */
    public static String nativeId(Job job) {
        Map<String, String> notes = job.getMetadata().getAnnotations();
        String members = notes == null ? null : notes.get(MEMBERS);
        return Reference.of(job) + (members == null ? "" : "[" + members + "]");
    }

    /** A namespace and a Job or pod in it: {@code namespace/name}. */
    public record Reference(String namespace, String name) {
        public static Reference of(JobHandle job) {
            String id = MEMBERS_FORM.matcher(job.nativeId()).replaceFirst("");
            int slash = id.indexOf('/');
            return slash < 0
                    ? new Reference("default", id)
                    : new Reference(id.substring(0, slash), id.substring(slash + 1));
        }

        public static Reference of(HasMetadata object) {
            return new Reference(
                    object.getMetadata().getNamespace(), object.getMetadata().getName());
        }

        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** Whether a Job is the one that {@code handle} was given for, and not another of its name. */
    public static boolean isOf(Job job, JobHandle handle) {
        Map<String, String> notes = job.getMetadata().getAnnotations();
        return notes != null && handle.key().value().equals(notes.get(KEY));
    }

    /** The name of the first attempt's Job: a letter first, as a Service of an older server needs it. */
    public static String stem(JobKey key) {
        String plain = key.value().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
        String name = "tao-" + plain;
        boolean exact = plain.equals(key.value()) && name.length() <= LONGEST_STEM && !name.endsWith("-");
        if (exact) {
            return name;
        }
        String head = name.substring(0, Math.min(name.length(), LONGEST_STEM - 1 - DIGITS));
        return head.replaceAll("-+$", "") + "-" + Fingerprint.of(key.value(), DIGITS);
    }

    /** The name of one attempt's Job, and of all that belongs to it. */
    public static String attempt(JobKey key, int number) {
        return number == 1 ? stem(key) : stem(key) + "-r" + number;
    }
}

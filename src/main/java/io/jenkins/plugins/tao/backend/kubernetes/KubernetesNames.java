package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.jenkins.plugins.tao.job.Fingerprint;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.util.Locale;
import java.util.Map;

/** What things are called in the cluster. Pure. */
final class KubernetesNames {
    static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    static final String OURS = "tao-run";
    static final String JOB = "tao-run.jenkins.io/job";
    static final String ATTEMPT = "tao-run.jenkins.io/attempt";
    static final String KEY = "tao-run.jenkins.io/key";
    static final String RESULTS = "tao-run.jenkins.io/results";
    /** Where results are sent to in S3, for whoever fetches them. */
    static final String ADDRESS = "tao-run.jenkins.io/results-address";

    /** The buckets that the job uses, for the keys of its further attempts. */
    static final String BUCKETS = "tao-run.jenkins.io/buckets";

    /** {@code true} on a Job whose Secret or Service are still to be made. */
    static final String HELD = "tao-run.jenkins.io/held";

    /** A fingerprint of what the job runs, by which a second submission with the same id is compared. */
    static final String WORK = "tao-run.jenkins.io/work";

    /** The nodes that this attempt avoids because they failed, separated by commas. */
    static final String AVOIDED = "tao-run.jenkins.io/avoided-nodes";

    /** The same of its experiment spec. */
    static final String SPEC = "tao-run.jenkins.io/spec";

    static final String START_DEADLINE = "tao-run.jenkins.io/start-deadline-seconds";
    static final String PULL_DEADLINE = "tao-run.jenkins.io/pull-deadline-seconds";
    /** On a Job that we ended for a reason of ours, which is its value. */
    static final String ENDED = "tao-run.jenkins.io/ended-because";

    /** On a Job that we ended because its side containers ran on: how its command had ended. */
    static final String FINISHED = "tao-run.jenkins.io/finished";

    /** On a Job that is about to be deleted: who asked for it. */
    static final String CANCELLED = "tao-run.jenkins.io/cancelled-by";

    /** The id of the controller that sent the job. */
    static final String CONTROLLER = "tao-run.jenkins.io/controller";

    /** On a pod that reads a job's volume: the Job, or {@code path} where somebody only looks at one. */
    static final String FETCH = "tao-run.jenkins.io/fetch";

    /** {@code true} or {@code false} on a Job that says whether its files are read from their volume. */
    static final String FROM_VOLUME = "tao-run.jenkins.io/fetch-from-volume";

    static final String INDEX = "batch.kubernetes.io/job-completion-index";
    static final String JOB_NAME = "job-name";
    static final String QUEUE = "kueue.x-k8s.io/queue-name";
    static final String CONTAINER = "main";
    /** The container's own Job; differs between attempts. */
    static final String JOB_VARIABLE = "TAO_KUBERNETES_JOB";

    /** A pod of an Indexed Job needs {@code <job>-<index>} within 63 characters, an attempt {@code -r<number>}. */
    private static final int LONGEST_STEM = 52;

    private static final int DIGITS = 8;

    private KubernetesNames() {}

    /** A namespace and a Job in it: {@code namespace/name}. */
    record Reference(String namespace, String name) {
        static Reference of(JobHandle job) {
            String id = job.nativeId();
            int slash = id.indexOf('/');
            return slash < 0
                    ? new Reference("default", id)
                    : new Reference(id.substring(0, slash), id.substring(slash + 1));
        }

        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** Whether a Job is the one that {@code handle} was given for, and not another of its name. */
    static boolean isOf(Job job, JobHandle handle) {
        Map<String, String> notes = job.getMetadata().getAnnotations();
        return notes != null && handle.key().value().equals(notes.get(KEY));
    }

    /** The name of the first attempt's Job: a letter first, as a Service of an older server needs it. */
    static String stem(JobKey key) {
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
    static String attempt(JobKey key, int number) {
        return number == 1 ? stem(key) : stem(key) + "-r" + number;
    }
}

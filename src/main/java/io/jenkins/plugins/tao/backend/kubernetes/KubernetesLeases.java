package io.jenkins.plugins.tao.backend.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.kubernetes.api.KubernetesApi;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames.Reference;
import io.jenkins.plugins.tao.backend.kubernetes.request.ControllerLease;
import io.jenkins.plugins.tao.backend.kubernetes.view.JobView;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobStatus;
import io.jenkins.plugins.tao.remote.shell.LeaseShell;
import io.jenkins.plugins.tao.remote.shell.LeaseSweep;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lombok.RequiredArgsConstructor;

/**
 * Which controller holds a Job: the one whose id the Job carries, as long as that one renews its Lease. A controller has one Lease in a
 * namespace, so that holding a thousand Jobs costs one request every few minutes. All ages are those of the server's clock. An account that
 * may not use Leases holds nothing and knows of nobody who does.
 */
@RequiredArgsConstructor
final class KubernetesLeases {
    private static final Duration RENEWAL = Duration.ofMinutes(5);
    private static final int TRIES = 5;

    private final Controller controller;
    private final Map<String, Instant> asked = new HashMap<>();
    private final Map<String, Map<String, Lease>> others = new HashMap<>();
    private boolean begun;
    private boolean twin;

    /** Every few minutes: renews the Lease of this controller, and looks at those of others. What fails is tried again then. */
    synchronized void renew(KubernetesApi api, String namespace) {
        Optional<Instant> now = api.now();
        if (now.isEmpty()
                || now.get().isBefore(asked.getOrDefault(namespace, Instant.MIN).plus(RENEWAL))) {
            return;
        }
        asked.put(namespace, now.get());
        Optional<List<Lease>> listed = api.leases().all(namespace).listed();
        if (listed.isEmpty()) {
            return;
        }
        Map<String, Lease> known = new HashMap<>();
        listed.get().forEach(lease -> known.put(ControllerLease.controller(lease), lease));
        Optional<Lease> own = Optional.ofNullable(known.remove(controller.id()));
        others.put(namespace, known);
        if (!controller.id().isEmpty()) {
            twin = begun
                    && own.filter(lease -> !ControllerLease.isBy(lease, controller))
                            .isPresent();
            begun = sign(api, namespace, own, now.get()) || begun;
        }
    }

    private boolean sign(KubernetesApi api, String namespace, Optional<Lease> own, Instant now) {
        try {
            if (own.isEmpty()) {
                api.leases().create(ControllerLease.of(controller, namespace, now));
            } else {
                api.leases()
                        .patch(
                                namespace,
                                ControllerLease.name(controller.id()),
                                ControllerLease.renewal(controller, now));
            }
            return true;
        } catch (BackendException e) {
            return false;
        }
    }

    /** Adds what a person should know of who holds the Job, as the last look at the Leases had it. */
    synchronized JobStatus annotated(JobHandle handle, Job job, Optional<Instant> now, JobStatus status) {
        JobStatus told = known(job, now)
                .map(lease -> status.withNotice(
                        LeaseSweep.notice(ControllerLease.note(handle.key().value(), lease))))
                .orElse(status);
        return twin ? told.withNotice(LeaseSweep.TWIN + " " + LeaseSweep.TWIN_REMEDY) : told;
    }

    /** Whether, as far as the last look at the Leases told, no other controller holds the Job. */
    synchronized boolean leavesUs(Job job, Optional<Instant> now) {
        return known(job, now).isEmpty();
    }

    private Optional<Lease> known(Job job, Optional<Instant> now) {
        Map<String, Lease> known = others.getOrDefault(job.getMetadata().getNamespace(), Map.of());
        return other(job)
                .flatMap(id -> Optional.ofNullable(known.get(id)))
                .filter(lease -> now.isPresent() && ControllerLease.isFresh(lease, now.get()));
    }

    /** The id of another controller that the Job carries. */
    private Optional<String> other(Job job) {
        return JobView.of(job)
                .note(KubernetesNames.CONTROLLER)
                .filter(id -> !id.isEmpty() && !id.equals(controller.id()));
    }

    /**
     * Asks who holds a Job that is to be changed.
     *
     * @throws Rejected if another controller does, or another process uses the identity of this one
     */
    void check(KubernetesApi api, JobHandle handle, Job job) throws BackendException {
        synchronized (this) {
            if (twin) {
                throw new Rejected(LeaseSweep.TWIN, LeaseSweep.TWIN_REMEDY);
            }
        }
        Optional<Lease> holder = holder(api, job);
        if (holder.isPresent()) {
            throw LeaseShell.refused(
                    handle.shortName(), ControllerLease.note(handle.key().value(), holder.get()));
        }
    }

    /** The fresh Lease of another controller whose id the Job carries. */
    private Optional<Lease> holder(KubernetesApi api, Job job) throws BackendException {
        Optional<String> other = other(job);
        if (other.isEmpty()) {
            return Optional.empty();
        }
        try {
            Optional<Lease> lease =
                    api.leases().named(job.getMetadata().getNamespace(), ControllerLease.name(other.get()));
            Optional<Instant> now = api.now();
            return lease.filter(there -> now.isEmpty() || ControllerLease.isFresh(there, now.get()));
        } catch (Denied e) {
            return Optional.empty();
        }
    }

    /**
     * Makes this controller the holder of a Job, whoever held it.
     *
     * @throws Rejected if another one was quicker
     */
    void takeOver(KubernetesApi api, JobHandle handle) throws BackendException {
        Reference at = Reference.of(handle);
        synchronized (this) {
            asked.remove(at.namespace());
        }
        Optional<Job> first = api.job(at).filter(job -> KubernetesNames.isOf(job, handle));
        if (controller.id().isEmpty() || first.isEmpty()) {
            return;
        }
        renew(api, at.namespace());
        Optional<String> before = other(first.get());
        Job job = first.get();
        for (int tries = 0; tries < TRIES; tries++) {
            try {
                api.patch(at, "take over", taken(job));
                return;
            } catch (Unreachable changed) { // since it was read, by its own controller or by another of ours
                job = api.job(at).orElseThrow(() -> changed);
            }
            Optional<String> now = other(job);
            if (now.isPresent() && !now.equals(before)) {
                check(api, handle, job);
            }
        }
        throw new Unreachable("The Job '" + at + "' changes too often to be taken over.", "Try again in a minute.");
    }

    private String taken(Job job) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("resourceVersion", job.getMetadata().getResourceVersion());
        metadata.putObject("annotations").put(KubernetesNames.CONTROLLER, controller.id());
        return patch.toString();
    }
}

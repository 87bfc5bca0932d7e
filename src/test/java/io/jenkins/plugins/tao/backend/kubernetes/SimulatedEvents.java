package io.jenkins.plugins.tao.backend.kubernetes;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.HashMap;
import java.util.Map;

/** Events of Jobs, as the job controller writes them. */
final class SimulatedEvents {
    private final SimulatedServer server;
    private final Map<String, Boolean> told = new HashMap<>();

    SimulatedEvents(SimulatedServer server) {
        this.server = server;
    }

    /** Newer events have neither count nor first and last time. */
    void warn(Job job, String reason, String message) {
        if (told.putIfAbsent(job.getMetadata().getUid() + reason, true) != null) {
            return;
        }
        server.admin()
                .v1()
                .events()
                .inNamespace(job.getMetadata().getNamespace())
                .resource(new EventBuilder()
                        .withNewMetadata()
                        .withName(job.getMetadata().getName() + "." + told.size())
                        .withNamespace(job.getMetadata().getNamespace())
                        .endMetadata()
                        .withNewInvolvedObject()
                        .withKind("Job")
                        .withName(job.getMetadata().getName())
                        .endInvolvedObject()
                        .withReason(reason)
                        .withMessage(message)
                        .withType("Warning")
                        .withEventTime(new MicroTime(server.now().toString()))
                        .withReportingComponent("job-controller")
                        .build())
                .create();
    }
}

package io.jenkins.plugins.tao.backend.kubernetes.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.jenkins.plugins.tao.backend.Controller;
import io.jenkins.plugins.tao.backend.kubernetes.options.KubernetesNames;
import io.jenkins.plugins.tao.remote.shell.LeaseNote;
import io.jenkins.plugins.tao.remote.shell.LeaseShell;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;

/** Makes and reads the Lease by which a controller says that it is at work. Pure. */
public final class ControllerLease {
    private static final String PREFIX = "tao-run-";
    private static final String WORDS = "tao-run.jenkins.io/words";
    /** As Kubernetes writes a MicroTime. */
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private ControllerLease() {}

    public static String name(String controller) {
        return PREFIX + controller;
    }

    /** The id of the controller that a Lease is of. */
    public static String controller(Lease lease) {
        return lease.getMetadata().getName().replaceFirst("^" + PREFIX, "");
    }

    public static Lease of(Controller controller, String namespace, Instant now) {
        ZonedDateTime at = now.atZone(ZoneOffset.UTC);
        return new LeaseBuilder()
                .withNewMetadata()
                .withName(name(controller.id()))
                .withNamespace(namespace)
                .withLabels(Map.of(KubernetesNames.MANAGED_BY, KubernetesNames.OURS))
                .withAnnotations(Map.of(WORDS, controller.words()))
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(holder(controller))
                .withLeaseDurationSeconds((int) LeaseShell.LEASE.toSeconds())
                .withAcquireTime(at)
                .withRenewTime(at)
                .endSpec()
                .build();
    }

    /** The change that renews it. */
    public static String renewal(Controller controller, Instant now) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").putObject("annotations").put(WORDS, controller.words());
        patch.putObject("spec").put("holderIdentity", holder(controller)).put("renewTime", MICROS.format(now));
        return patch.toString();
    }

    /** Another for every process of a controller; the server takes no empty one. */
    private static String holder(Controller controller) {
        return controller.session().isEmpty() ? controller.id() : controller.session();
    }

    /** Whether the process that renewed it last is this one. */
    public static boolean isBy(Lease lease, Controller controller) {
        return lease.getSpec() != null
                && holder(controller).equals(lease.getSpec().getHolderIdentity());
    }

    /** Whether it was renewed lately. */
    public static boolean isFresh(Lease lease, Instant now) {
        return renewed(lease).map(at -> at.plus(LeaseShell.LEASE).isAfter(now)).orElse(false);
    }

    private static Optional<Instant> renewed(Lease lease) {
        return Optional.ofNullable(lease.getSpec())
                .map(spec -> spec.getRenewTime())
                .map(ZonedDateTime::toInstant);
    }

    /** Who holds job {@code key}. */
    public static LeaseNote note(String key, Lease lease) {
        Map<String, String> notes = lease.getMetadata().getAnnotations();
        String words = notes == null ? "" : notes.getOrDefault(WORDS, "");
        return new LeaseNote(key, controller(lease), Optional.empty(), renewed(lease), words);
    }
}

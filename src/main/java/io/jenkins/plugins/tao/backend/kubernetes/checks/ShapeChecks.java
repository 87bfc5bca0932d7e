package io.jenkins.plugins.tao.backend.kubernetes.checks;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.kubernetes.options.VolumeMount;
import io.jenkins.plugins.tao.backend.kubernetes.request.KubernetesPlan;
import io.jenkins.plugins.tao.backend.kubernetes.request.Prologue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Checks of the job itself, and of the volumes it names. Pure. */
public final class ShapeChecks {
    private static final Set<String> SHARED = Set.of("ReadWriteMany", "ReadOnlyMany");

    private ShapeChecks() {}

    public static List<Check> of(KubernetesPlan plan) {
        List<Check> checks = new ArrayList<>();
        checks.add(image(plan.image()));
        if (plan.payload().usedStorage().isEmpty()) {
            checks.add(durable(plan));
        }
        for (String input : plan.spec().inputs()) {
            checks.add(input(plan, input));
        }
        return checks;
    }

    private static Check image(String image) {
        String last = image.substring(image.lastIndexOf('/') + 1);
        boolean floating = !image.contains("@") && (!last.contains(":") || last.endsWith(":latest"));
        return floating
                ? Check.warning(
                        "image",
                        image + " has no fixed tag, so two attempts may run different images",
                        "Name a tag, or better a digest: image@sha256:…")
                : Check.passed("image", image);
    }

    /** Without a volume or S3 the results go with the pod. */
    private static Check durable(KubernetesPlan plan) {
        String results = plan.resultsDirectory();
        if (plan.onVolume(results)) {
            return Check.passed("results", results + " lies on a volume");
        }
        return Check.warning(
                "results",
                results + " lies in the container: checkpoints and results are lost with the pod",
                "Mount a volume there (volumes: claim:" + results + "), or give the target S3.");
    }

    /** What this machine sees is no proof: a path must lie on a volume of the pod, and is looked for there. */
    private static Check input(KubernetesPlan plan, String input) {
        String name = "input " + input;
        if (!Prologue.isLocal(input)) {
            return Check.passed(name, "is brought into the container");
        }
        if (plan.onVolume(input)) {
            return Check.passed(name, "lies on a volume, and each pod looks for it before the command starts");
        }
        return Check.failed(
                name,
                "no volume of the pod holds it; that this machine may see it proves nothing",
                "Mount the claim that holds it (volumes: claim:" + input + "), or name an s3:// address.");
    }

    /** One claim as the cluster has it. */
    public static Check claim(KubernetesPlan plan, VolumeMount volume, Optional<PersistentVolumeClaim> claim) {
        String name = "volume " + volume.claim();
        if (claim.isEmpty()) {
            return Check.failed(
                    name,
                    "there is no claim '" + volume.claim() + "' in namespace '" + plan.namespace() + "'",
                    "'kubectl get pvc --namespace " + plan.namespace() + "' lists those there are.");
        }
        List<String> modes = Objects.requireNonNullElse(claim.get().getSpec().getAccessModes(), List.of());
        boolean single = modes.stream().noneMatch(SHARED::contains);
        if (single && plan.podsAtOnce() > 1) {
            return Check.failed(
                    name,
                    "its access mode is " + String.join(", ", modes)
                            + ", so only one node may hold it, and the job has " + plan.podsAtOnce() + " pods",
                    "Use a claim with ReadWriteMany, or one node.");
        }
        String phase = claim.get().getStatus() == null
                ? ""
                : Objects.requireNonNullElse(claim.get().getStatus().getPhase(), "");
        if (phase.equals("Lost")) {
            return Check.failed(name, "its volume is lost", "Restore the volume, or use another claim.");
        }
        return phase.equals("Bound")
                ? Check.passed(name, "bound, at " + volume.path())
                : Check.warning(
                        name,
                        "it is " + (phase.isEmpty() ? "not bound" : phase)
                                + "; some classes bind when the first pod starts",
                        "'kubectl describe pvc " + volume.claim() + "' shows why if the pod stays pending.");
    }
}

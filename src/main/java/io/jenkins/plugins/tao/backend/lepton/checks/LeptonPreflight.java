package io.jenkins.plugins.tao.backend.lepton.checks;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Unreachable;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonApi;
import io.jenkins.plugins.tao.backend.lepton.api.LeptonToken;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonMount;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonVolume;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonPlan;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonGroup;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonPermission;
import io.jenkins.plugins.tao.backend.lepton.view.LeptonShape;
import io.jenkins.plugins.tao.http.HttpReply;
import io.jenkins.plugins.tao.http.HttpSettings;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.payload.HubChecks;
import io.jenkins.plugins.tao.payload.NgcChecks;
import io.jenkins.plugins.tao.payload.Payload;
import io.jenkins.plugins.tao.payload.S3Checks;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The checks before a submission, in the order in which one builds on the other. */
public final class LeptonPreflight {
    private static final String WORKSPACE = "workspace answers";
    private static final String NEEDS_WORKSPACE = "needs the workspace to answer";

    private final LeptonTarget target;
    private final LeptonApi api;
    private final JobSpec spec;
    private final LeptonOptions options;
    private final List<Check> checks = new ArrayList<>();
    private Optional<LeptonGroup> group = Optional.empty();

    public LeptonPreflight(LeptonTarget target, LeptonApi api, JobSpec spec) throws BackendException {
        this.target = target;
        this.api = api;
        this.spec = spec;
        this.options = LeptonPlan.options(spec, target.name());
    }

    /** One check that talks. */
    @FunctionalInterface
    private interface Probe {
        Check make() throws BackendException;
    }

    public List<Check> run() throws BackendException {
        checks.add(Check.passed("workspace and token given", "workspace '" + target.workspace() + "'"));
        boolean answers = workspace();
        Payload payload = payload();
        HttpSettings http = HttpSettings.defaults().proxy(target.proxy());
        checks.addAll(S3Checks.of(payload, http));
        afterWorkspace(answers, "node group", this::nodeGroup);
        afterWorkspace(answers, "volumes and permissions", this::volumes);
        checks.addAll(models(payload, http));
        checks.add(image());
        afterWorkspace(answers, "resource shape", this::shape);
        afterWorkspace(answers, "pull secret", this::pullSecret);
        needs(answers);
        if (answers) {
            token().ifPresent(checks::add);
        }
        severalNodes().ifPresent(checks::add);
        return checks;
    }

    private void needs(boolean answers) throws BackendException {
        LeptonNeeds needs = new LeptonNeeds(api, spec, options);
        needs.variables().ifPresent(checks::add);
        if (needs.namesSecrets()) {
            afterWorkspace(answers, "secrets", needs::secrets);
        }
        if (needs.namesReservation()) {
            afterWorkspace(answers, "reservation", () -> needs.reservation(group));
        }
    }

    private boolean workspace() throws BackendException {
        HttpReply reply = api.workspace();
        if (reply.ok()) {
            String state = reply.json().path("workspace_state").asText("normal");
            boolean normal = state.equals("normal");
            checks.add(
                    normal
                            ? Check.passed(WORKSPACE, target.workspace())
                            : Check.failed(
                                    WORKSPACE,
                                    "it is '" + state + "'",
                                    "Have the workspace set going again; jobs run in a normal one only."));
            return normal;
        }
        BackendException error = reply.error();
        if (error instanceof Unreachable) {
            throw error;
        }
        checks.add(Check.failed(WORKSPACE, String.valueOf(error.getMessage()), remedy(reply.status(), error)));
        return false;
    }

    /** S3 and Hugging Face do not care where the job runs, so their checks need no workspace. */
    private Payload payload() {
        LeptonPlan.Place nowhere = new LeptonPlan.Place(Optional.empty(), "", List.of(), List.of());
        return new LeptonPlan(target, spec, new JobKey("preflight"), options, nowhere).payload();
    }

    private List<Check> models(Payload payload, HttpSettings http) {
        List<Check> models =
                new ArrayList<>(HubChecks.of(payload, http, options.secretRefs().keySet()));
        models.addAll(NgcChecks.of(payload, http, options.secretRefs().keySet()));
        return models.isEmpty()
                ? List.of(Check.passed("model credentials", "no model of Hugging Face is asked for"))
                : models;
    }

    private String remedy(int status, BackendException error) {
        if (status == HttpURLConnection.HTTP_NOT_FOUND) {
            return "Check the id '" + target.workspace() + "'; a new workspace needs up to 10 minutes.";
        }
        return status == HttpURLConnection.HTTP_FORBIDDEN
                ? "The token has no permission here, has expired, or is of another environment than the address. "
                        + error.remedy()
                : error.remedy();
    }

    private void afterWorkspace(boolean answers, String name, Probe probe) throws BackendException {
        if (!answers) {
            checks.add(Check.skipped(name, NEEDS_WORKSPACE));
            return;
        }
        try {
            checks.add(probe.make());
        } catch (Unreachable e) {
            throw e;
        } catch (BackendException e) {
            checks.add(Check.failed(name, String.valueOf(e.getMessage()), e.remedy()));
        }
    }

    private Check nodeGroup() throws BackendException {
        group = new LeptonPlaces(target, api).group(options);
        return group.map(each -> Check.passed("node group", each.name() + ", " + each.readyNodes() + " nodes ready"))
                .orElseGet(() -> Check.passed("node group", "shared machines; a more urgent job may take them"));
    }

    /** What the workspace's own records say; a file of this machine proves nothing. */
    private Check volumes() throws BackendException {
        LeptonPlaces places = new LeptonPlaces(target, api);
        List<LeptonMount> mounts = places.mounts(options, group);
        for (LeptonMount mount : mounts) {
            Optional<Check> wrong = wrong(mount, places);
            if (wrong.isPresent()) {
                return wrong.get();
            }
        }
        for (String path : payload().needed()) {
            boolean mounted = mounts.stream()
                    .map(LeptonMount::mountPath)
                    .anyMatch(mount -> path.equals(mount) || path.startsWith(mount + "/"));
            if (!mounted) {
                return Check.failed(
                        "volumes and permissions",
                        "input '" + path + "' lies on no volume of the job",
                        "Mount its volume (mounts), or name it by its s3:// address.");
            }
        }
        return mounts.isEmpty()
                ? Check.warning(
                        "volumes and permissions",
                        "no volume: what a job writes is lost unless it goes to S3",
                        "Name a nodeGroup with a volume, give mounts, or give the target S3 settings.")
                : Check.passed("volumes and permissions", words(mounts));
    }

    private Optional<Check> wrong(LeptonMount mount, LeptonPlaces places) throws BackendException {
        if (group.isEmpty()) {
            return Optional.empty();
        }
        boolean known = mount.from().equals("node-local")
                || group.get().volumes().stream()
                        .anyMatch(volume -> volume.name().equals(mount.volume()));
        String names = String.join(
                ", ", group.get().volumes().stream().map(LeptonVolume::name).toList());
        if (!known) {
            return Optional.of(Check.failed(
                    "volumes and permissions",
                    "node group " + group.get().name() + " has no volume '" + mount.volume() + "'",
                    "Use one of: " + names + "."));
        }
        List<LeptonPermission> permissions =
                places.permissions(mount, group.get().id());
        return LeptonPermission.allow(permissions, mount.path())
                ? Optional.empty()
                : Optional.of(Check.failed(
                        "volumes and permissions",
                        "'" + mount.path() + "' of volume '" + mount.volume() + "' is not permitted",
                        "Mount a path below one of: "
                                + String.join(
                                        ", ",
                                        permissions.stream()
                                                .map(LeptonPermission::words)
                                                .toList())
                                + "; or have the workspace's administrator permit it."));
    }

    private static String words(List<LeptonMount> mounts) {
        return String.join(
                ", ",
                mounts.stream()
                        .map(mount -> mount.volume() + ":" + mount.path() + " at " + mount.mountPath())
                        .toList());
    }

    private Check image() {
        return spec.image()
                .map(name -> Check.passed("image", name))
                .orElseGet(() -> Check.failed("image", "the job names none", "Give it a container image."));
    }

    private Check shape() throws BackendException {
        int gpus = LeptonPlan.gpus(spec);
        List<LeptonShape> shapes = api.shapes(group.map(LeptonGroup::id));
        Optional<String> requested = LeptonPlan.requestedShape(target, options);
        if (requested.isEmpty()) {
            return Check.passed(
                    "resource shape",
                    LeptonShape.forGpus(gpus, shapes, target.service()).words());
        }
        Optional<LeptonShape> known = shapes.stream()
                .filter(shape -> shape.id().equals(requested.get()))
                .findFirst();
        if (known.isEmpty()) {
            return Check.failed(
                    "resource shape",
                    "'" + requested.get() + "' is not offered"
                            + group.map(each -> " in node group " + each.name()).orElse(""),
                    "Use one of: " + LeptonShape.names(shapes) + ".");
        }
        return spec.resources().gpusPerNode().isEmpty()
                ? Check.passed("resource shape", known.get().words())
                : fitting(known.get(), gpus);
    }

    /** The shape is that of each node: more GPUs than it has are nowhere, fewer cost what they do not use. */
    private static Check fitting(LeptonShape shape, int gpus) {
        String what = String.format(
                Locale.ROOT, "%s has %.0f GPUs on each node, the job asks for %d", shape.id(), shape.gpus(), gpus);
        if (shape.gpus() < gpus) {
            return Check.failed(
                    "resource shape",
                    what,
                    "gpus counts the GPUs of each node: ask for fewer, or name a shape with as many.");
        }
        return shape.gpus() == gpus
                ? Check.passed("resource shape", shape.words())
                : Check.warning("resource shape", what, "Name a shape with as many GPUs as the job uses.");
    }

    private Check pullSecret() throws BackendException {
        if (target.pullSecret().isPresent()) {
            String name = target.pullSecret().get();
            boolean there = api.pullSecrets().toString().contains("\"" + name + "\"");
            return there
                    ? Check.passed("pull secret", name)
                    : Check.failed(
                            "pull secret",
                            "the workspace has no pull secret '" + name + "'",
                            "Make it in the dashboard, or give the target an NGC key instead.");
        }
        boolean ngc = spec.image().orElse("").startsWith("nvcr.io/");
        if (target.ngcKey().isPresent()) {
            return Check.passed("pull secret", "made from the NGC key once, then used again");
        }
        return ngc
                ? Check.warning(
                        "pull secret",
                        "none, and the image is NGC's",
                        "Give the target an NGC key (ngcKey) or a pullSecret, unless the image is public.")
                : Check.passed("pull secret", "none given");
    }

    private Optional<Check> token() throws BackendException {
        return LeptonToken.warning(api, target.token());
    }

    private Optional<Check> severalNodes() {
        boolean several = spec.resources().nodes() > 1;
        return several && LeptonPlan.requestedGroup(target, options).isEmpty()
                ? Optional.of(Check.warning(
                        "several nodes",
                        "without a dedicated node group: when one worker is preempted the whole job fails",
                        "Name a nodeGroup; its nodes also lie in one fast network."))
                : Optional.empty();
    }
}

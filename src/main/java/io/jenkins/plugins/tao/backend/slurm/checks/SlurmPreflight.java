package io.jenkins.plugins.tao.backend.slurm.checks;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendException.Denied;
import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import io.jenkins.plugins.tao.backend.OutputCheck;
import io.jenkins.plugins.tao.backend.Report;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.slurm.networks.ScratchPaths;
import io.jenkins.plugins.tao.backend.slurm.networks.SlurmPaths;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmArray;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmImage;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmShape;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget.Launcher;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmRefusal;
import io.jenkins.plugins.tao.backend.slurm.reply.SlurmSections;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmConversion;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.payload.CommandResults;
import io.jenkins.plugins.tao.remote.host.Reply;
import io.jenkins.plugins.tao.spec.StrayPaths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lombok.RequiredArgsConstructor;

/** Every check of a job against a cluster: what can be told from the job alone first, then one round trip. */
@RequiredArgsConstructor
public final class SlurmPreflight {
    private static final Duration FOUR_HOURS = Duration.ofHours(4);
    /** Stands for the id that the job does not have yet. */
    private static final JobKey NO_ID = new JobKey("preflight");

    private static final long LOW_KIB = 10L << 20;

    private final SlurmTarget target;
    private final JobSpec spec;
    private final List<Check> checks = new ArrayList<>();

    /** Asks a shell. */
    public interface Shell {
        Reply run(String script) throws BackendException;
    }

    public Report run(Shell shell) throws BackendException {
        Optional<SlurmPlan> plan = plan();
        checkInputs(plan.map(SlurmPlan::inputs).orElse(spec.inputs()));
        plan.ifPresent(this::checkResults);
        if (new Report(checks).failed() || plan.isEmpty()) {
            checks.add(Check.skipped("cluster", target.name() + " was not asked: correct the job first"));
        } else {
            ask(shell, plan.get());
        }
        return new Report(checks);
    }

    private Optional<SlurmPlan> plan() {
        try {
            SlurmPlan plan = SlurmPlan.of(target, spec, NO_ID);
            SlurmShape shape = plan.shape();
            checks.add(Check.passed(
                    "job", shape.spokenMachines() + ", " + shape.spokenTime() + ", results in " + spoken(plan)));
            return Optional.of(plan);
        } catch (Rejected e) {
            checks.add(failed("job", e));
            return Optional.empty();
        }
    }

    /** The results directory as a person reads it: ours ends in the job's id. */
    private static String spoken(SlurmPlan plan) {
        return plan.results().equals(plan.layout().results(NO_ID))
                ? plan.layout().resultsRoot() + "/<job id>"
                : plan.results();
    }

    private void checkInputs(List<String> inputs) {
        OutputCheck.of(spec, "a Slurm cluster").ifPresent(checks::add);
        List<String> scratch = ScratchPaths.of(spec);
        if (!scratch.isEmpty()) {
            checks.add(Check.warning(
                    "scratch",
                    String.join(", ", scratch) + " lies on each node's own disk, which is emptied when the job ends",
                    "Write checkpoints and results below the results directory."));
        }
        if (inputs.stream().anyMatch(CommandResults::isMeant) && !CommandResults.hasKeys(spec)) {
            checks.add(Check.warning(
                    "S3 keys",
                    "an input is in S3, and the job has no keys: it is fetched only where the nodes have a role",
                    "Give the job the secrets ACCESS_KEY and SECRET_KEY."));
        }
        for (String input : inputs) {
            SlurmPaths.problemOfInput(input, target.roots())
                    .ifPresent(problem -> checks.add(
                            problem.fatal()
                                    ? Check.failed("input", problem.what(), problem.remedy())
                                    : Check.warning("input", problem.what(), problem.remedy())));
        }
    }

    /** The login host may write where no node does: then all that the job computes is lost. */
    private void checkResults(SlurmPlan plan) {
        plan.strays().forEach(found -> checks.add(here(found.toString())));
        for (StrayPaths.Found found : StrayPaths.results(spec, plan.results())) {
            String what = found + " is not below the results directory: its files are not fetched";
            String remedy = "Leave it out, or write results_dir={results_dir}.";
            checks.add(
                    SlurmPaths.isNodeLocal(found.path())
                            ? Check.failed("results directory", what + ", and each node empties its own", remedy)
                            : Check.warning("results directory", what, remedy));
        }
        List<String> roots = target.roots();
        String path = plan.results();
        if (roots.stream().noneMatch(root -> SlurmPaths.isBelow(path, root))) {
            checks.add(Check.warning(
                    "results directory",
                    path + " lies outside the shared filesystem (" + String.join(", ", roots)
                            + "): nodes may not see it, or write to a disk of their own",
                    "Set resultsDir to a directory below one of these, or add its root to the target's sharedRoots if all"
                            + " nodes see it."));
        }
    }

    private Check here(String path) {
        return Check.failed(
                "input",
                path + " lies on the controller, not on " + target.name(),
                "Copy it to the cluster's shared filesystem and write its path there.");
    }

    /** These queues end every job after four hours, where the cluster itself does not tell its limits. */
    private void checkFourHours(SlurmPlan plan) {
        List<String> partitions = List.of(plan.partition().orElse("").split(",", -1));
        boolean longer = plan.shape().wallTime().compareTo(FOUR_HOURS) > 0;
        if (longer && SlurmTarget.FOUR_HOUR_PARTITIONS.containsAll(partitions)) {
            checks.add(Check.failed(
                    "wall time",
                    plan.shape().time() + " is more than the 4 hours of " + String.join(", ", partitions),
                    "Ask for at most 4 hours and resume from checkpoints, or set a partition for longer jobs."));
        }
    }

    private void ask(Shell shell, SlurmPlan plan) throws BackendException {
        SlurmSections answer;
        try {
            answer = SlurmSections.parse(shell.run(SlurmProbe.render(plan)).text());
        } catch (Denied e) {
            checks.add(failed("login", e));
            return;
        }
        if (!answer.complete()) {
            throw new Unreadable(
                    "The checks on " + target.name() + " broke off", answer.toString(), "Log in and run squeue.");
        }
        String dropped = text(answer, "dropped").replace(" ", ", ");
        checks.add(Check.passed(
                "login",
                "as " + text(answer, "login")
                        + (dropped.isEmpty() ? "" : "; what the job asks for counts, not " + dropped + " there")));
        if (target.rest().isPresent()) {
            checkRest(answer);
        } else {
            checkTools(answer, plan);
        }
        checkStorage(answer, plan);
        checkImage(answer, plan);
        if (text(answer, "tools").isEmpty()) {
            checkLimits(answer, plan);
            checkFabric(answer, plan);
            plan.array().ifPresent(array -> checkArray(answer, array));
            checkAccepted(answer);
        }
    }

    private void checkRest(SlurmSections answer) {
        checks.add(Check.passed("slurmrestd", text(answer, "rest")));
        checks.add(
                Check.skipped(
                        "sbatch --test-only",
                        "REST does not report whether Slurm would accept the job, whether srun knows --container-image, or MaxArraySize"));
    }

    private void checkTools(SlurmSections answer, SlurmPlan plan) {
        String missing = text(answer, "tools").replace("\n", ", ");
        checks.add(
                missing.isEmpty()
                        ? Check.passed("Slurm commands", "sbatch, squeue, scancel, srun and scontrol are there")
                        : Check.failed(
                                "Slurm commands",
                                missing + " not found on the login host",
                                "Use a login host of the cluster, and put Slurm's bin directory on the PATH of"
                                        + " non-interactive shells."));
        if (!text(answer, "accounting").isEmpty()) {
            checks.add(Check.warning(
                    "accounting",
                    "sacct is missing: the end of a job is known only from squeue and the job's own exit record",
                    "Ask the site for accounting, or go without."));
        }
        if (spec.image().isPresent()) {
            boolean pyxis = plan.launcher() == Launcher.PYXIS;
            boolean there = pyxis
                    ? text(answer, "container").contains("--container-image")
                    : text(answer, "apptainer").isEmpty();
            checks.add(
                    there
                            ? Check.passed("containers", pyxis ? "srun takes --container-image" : "apptainer is there")
                            : Check.failed(
                                    "containers",
                                    pyxis
                                            ? "srun knows no --container-image: Pyxis and Enroot are missing"
                                            : "apptainer is not on the login host",
                                    "Ask the site's admin, set another launcher, or use another target."));
        }
    }

    private void checkStorage(SlurmSections answer, SlurmPlan plan) {
        writable("base directory", plan.layout().base(), answer, "base");
        writable("results directory", spoken(plan), answer, "results");
        List<String> absent = answer.linesOf("inputs");
        if (!absent.isEmpty()) {
            checks.add(Check.failed(
                    "inputs",
                    String.join(", ", absent) + (absent.size() == 1 ? " is" : " are") + " not on " + target.name(),
                    "Correct the paths or copy the data there, then run this again; what lies there as an archive only has"
                            + " to be unpacked, or named as the archive under its key."));
        } else if (!plan.inputs().isEmpty()) {
            checks.add(Check.passed("inputs", "all are there"));
        }
        answer.linesOf("here").forEach(path -> checks.add(here(path)));
        freeKib(answer.linesOf("space"))
                .filter(free -> free < LOW_KIB)
                .ifPresent(free -> checks.add(Check.warning(
                        "space",
                        (free >> 20) + " GiB are left on the filesystem of the results",
                        "Free space before checkpoints fill it.")));
    }

    private void writable(String name, String path, SlurmSections answer, String part) {
        boolean fine = answer.part(part).map(SlurmSections.Section::ok).orElse(false);
        checks.add(
                fine
                        ? Check.passed(name, path)
                        : Check.failed(
                                name,
                                path + " cannot be written (" + text(answer, part) + ")",
                                "Set it to a directory of that user on the shared filesystem."));
    }

    private void checkImage(SlurmSections answer, SlurmPlan plan) {
        String image = spec.image().orElse("");
        if (SlurmImage.isFile(image) && !answer.linesOf("image").isEmpty()) {
            checks.add(Check.failed("image", image + " is not on " + target.name(), "Correct the path of the image."));
        }
        String enroot = text(answer, "pulls").strip();
        if (image.contains("@sha256:") && plan.launcher() == Launcher.PYXIS && enroot.matches("[0-3]\\.\\d.*")) {
            checks.add(Check.failed(
                    "image",
                    "Enroot " + enroot + " takes no image by its digest",
                    "Name it by a tag that does not move, or give a .sqsh file made of it."));
        }
        boolean credentials =
                answer.part("enroot").map(SlurmSections.Section::ok).orElse(false);
        if (plan.enrootKey().isPresent()) {
            checks.add(Check.passed("image credentials", "NGC_KEY goes to ~/.config/enroot/.credentials, as approved"));
        } else if (SlurmImage.isNvcr(image) && !credentials) {
            checks.add(
                    Check.warning(
                            "image credentials",
                            "the cluster has no ~/.config/enroot/.credentials: private images of nvcr.io cannot be pulled, and"
                                    + " NGC_KEY in the job does not help",
                            "Put 'machine nvcr.io login $oauthtoken password <key>' and the same for authn.nvidia.com there,"
                                    + " mode 600, or set installEnrootCredentials with NGC_KEY among the secrets; public images need nothing."));
        }
    }

    private void checkLimits(SlurmSections answer, SlurmPlan plan) {
        Map<String, Optional<Duration>> limits = PartitionLimit.parse(answer.linesOf("partitions"));
        plan.conversion().ifPresent(image -> checkConversion(image, limits));
        if (limits.isEmpty()) {
            checkFourHours(plan);
        }
        new PartitionChecks(target.name(), limits, PartitionLimit.usual(answer.linesOf("partitions")))
                .of(plan)
                .forEach(checks::add);
    }

    /** Nodes may be built otherwise than the login host: this is a hint, and each node looks for itself. */
    private void checkFabric(SlurmSections answer, SlurmPlan plan) {
        if (plan.shape().nodes() < 2) {
            return;
        }
        List<String> ports = answer.linesOf("fabric");
        checks.add(Check.passed(
                "fast network",
                (ports.isEmpty()
                                ? "the login host has no active InfiniBand or RoCE port"
                                : "the login host has " + String.join(", ", ports))
                        + "; each node that has none reports it in main.err"));
    }

    /** Slurm takes indices below MaxArraySize; a cluster that does not tell it is asked by sbatch --test-only. */
    private void checkArray(SlurmSections answer, SlurmArray array) {
        String most = text(answer, "array").strip();
        if (most.matches("\\d{1,9}") && array.highest() >= Integer.parseInt(most)) {
            checks.add(Check.failed(
                    "array",
                    "the index " + array.highest() + " is not below the " + most + " (MaxArraySize) of "
                            + target.name(),
                    most.equals("0")
                            ? "This cluster accepts no arrays: submit each member as a separate job."
                            : "Use indices up to " + (Integer.parseInt(most) - 1) + ", or several jobs."));
        } else {
            checks.add(Check.passed(
                    "array", array.members().size() + " members: " + array.render() + ", each with its own results"));
        }
    }

    private void checkConversion(SlurmConversion image, Map<String, Optional<Duration>> limits) {
        List<String> known = List.of(image.partition().split(",", -1));
        if (!limits.isEmpty() && known.stream().anyMatch(name -> !limits.containsKey(name))) {
            checks.add(Check.failed(
                    "image conversion",
                    "partition '" + image.partition() + "' does not exist on " + target.name(),
                    "Set conversionPartition to one of: " + String.join(", ", limits.keySet())
                            + ", or useSqsh to false."));
        } else {
            checks.add(Check.passed("image conversion", "to " + image.file() + " unless it is there"));
        }
    }

    private void checkAccepted(SlurmSections answer) {
        Optional<SlurmSections.Section> test = answer.part("accepted");
        if (test.isEmpty() || new Report(checks).failed()) {
            return;
        }
        if (test.get().ok()) {
            checks.add(Check.passed("sbatch --test-only", "accepted"));
            return;
        }
        BackendException refusal =
                SlurmRefusal.ofSubmit(target.name(), test.get().text());
        checks.add(
                refusal instanceof Rejected
                        ? failed("sbatch --test-only", refusal)
                        : Check.warning("sbatch --test-only", String.valueOf(refusal.getMessage()), refusal.remedy()));
    }

    private static Check failed(String name, BackendException refusal) {
        return Check.failed(name, String.valueOf(refusal.getMessage()), refusal.remedy());
    }

    private static Optional<Long> freeKib(List<String> lines) {
        String[] fields = lines.isEmpty()
                ? new String[0]
                : lines.get(lines.size() - 1).strip().split(" +", -1);
        return fields.length >= 4 && fields[3].matches("\\d{1,18}")
                ? Optional.of(Long.parseLong(fields[3]))
                : Optional.empty();
    }

    private static String text(SlurmSections answer, String part) {
        return answer.part(part).map(SlurmSections.Section::text).orElse("");
    }
}

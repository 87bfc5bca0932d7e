package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.OutputCheck;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.BoxPreparation;
import io.jenkins.plugins.tao.backend.box.options.BoxRules;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.spec.FilledJob;
import io.jenkins.plugins.tao.spec.StrayPaths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The checks before a job: what to ask, and what the answers mean. Pure; what it asks writes nothing. */
public final class BoxPreflight {
    private static final JobKey NO_ID = new JobKey("preflight");
    private static final String PROGRAM = OwnFile.text(BoxPreflight.class, "preflight.sh");

    private static final long KIB_PER_GIB = 1024 * 1024;
    private static final int TENSORBOARD = 6006;
    private static final String TOOLKIT =
            "Install the NVIDIA Container Toolkit on this machine, and run 'sudo nvidia-ctk runtime configure --runtime=docker'.";

    private final BoxPlace place;
    private final JobSpec spec;
    private final BoxOptions options;
    private final String answer;
    private final List<Check> checks = new ArrayList<>();

    public BoxPreflight(BoxPlace place, JobSpec spec, String answer) {
        this.place = place;
        this.spec = spec;
        this.options = BoxFiles.options(spec);
        this.answer = answer;
    }

    /** What can be told without asking the machine. */
    public static List<Check> shape(BoxPlace place, JobSpec spec) {
        List<Check> checks = new ArrayList<>();
        if (spec.resources().nodes() > 1) {
            checks.add(Check.failed(
                    "one machine",
                    "The job wants " + spec.resources().nodes() + " nodes, and this target is one machine.",
                    "Set nodes to 1, or use a target with several machines."));
        }
        if (spec.options().isPresent() && !(spec.options().get() instanceof BoxOptions)) {
            checks.add(Check.failed(
                    "options",
                    "The job's options belong to another backend.",
                    "Leave them out, or give those of " + place.type() + "."));
        }
        OutputCheck.of(spec, "this machine").ifPresent(checks::add);
        BoxFiles.strays(place, spec).forEach(found -> checks.add(here(found.toString(), place)));
        StrayPaths.results(spec, results(place, spec))
                .forEach(found -> checks.add(Check.warning(
                        "results directory",
                        found + " is not below the results directory: its files are not fetched.",
                        "Leave it out, or write results_dir={results_dir}.")));
        if (place.lease() != BoxRules.Lease.OWNED) {
            checks.add(meter(place));
        }
        BoxEnvironment.checkpoints(place, spec)
                .ifPresent(every -> checks.add(Check.passed(
                        "checkpoints",
                        "write one every " + every.length().toSeconds() + " s, as TAO_CHECKPOINT_SECONDS says")));
        if (checks.stream().noneMatch(check -> check.verdict() == Verdict.FAILED)) {
            refusal(place, spec).ifPresent(checks::add);
        }
        return checks;
    }

    /** Why the job would be refused once it is sent. */
    private static Optional<Check> refusal(BoxPlace place, JobSpec spec) {
        try {
            BoxFiles unused = BoxFiles.render(place, spec, NO_ID);
            return Optional.empty();
        } catch (Rejected e) {
            return Optional.of(Check.failed("job", String.valueOf(e.getMessage()), e.remedy()));
        }
    }

    private static Check here(String path, BoxPlace place) {
        return Check.failed(
                "inputs",
                path + " lies on the controller, not on " + place.name() + ".",
                "Copy it there, and write its path there.");
    }

    private static Check meter(BoxPlace place) {
        String what = "This box costs money until you release it by hand; tao-run does not release it."
                + " Its ports are reached by a tunnel: " + BoxWords.tunnel(place, TENSORBOARD) + ".";
        return place.lease() == BoxRules.Lease.SPOT
                ? Check.warning(
                        "meter",
                        what + " It may vanish at any moment, without a signal and without a grace.",
                        "Write full checkpoints by the clock, never in a signal handler, and let the same command resume from them.")
                : Check.warning(
                        "meter",
                        what,
                        "Fetch the results (archive), then release the box on the command line: tao box stop "
                                + place.name() + " --yes.");
    }

    /** Asks the machine; each line of the answer is {@code word value}. */
    public static String script(BoxPlace place, JobSpec spec) {
        StringBuilder script = new StringBuilder(BoxScript.LOOK);
        script.append("tao_base=").append(quote(place.base())).append('\n');
        script.append("tao_results=").append(quote(results(place, spec))).append('\n');
        script.append("tao_data=").append(quote(place.data())).append('\n');
        script.append("tao_fetches=")
                .append(BoxFiles.options(spec).preparation().downloads().isEmpty() ? "" : "1")
                .append('\n');
        script.append("tao_cred=")
                .append(quote(place.settings().places().credentialFile().orElse("")))
                .append('\n');
        script.append("tao_runtime=").append(runtime(place, spec)).append('\n');
        BoxPreparation preparation = BoxFiles.options(spec).preparation();
        script.append("tao_code=")
                .append(quote(preparation
                        .code()
                        .map(name -> place.base() + "/code/" + name + "/current")
                        .orElse("")));
        script.append("\ntao_plain=")
                .append(spec.image().isPresent() ? "" : "1")
                .append('\n');
        script.append("tao_wanted=").append(BoxFiles.gpus(spec)).append('\n');
        script.append(PROGRAM);
        for (String input : spec.inputs()) {
            if (input.startsWith("/")) {
                script.append("[ -r ").append(quote(input)).append(" ] || echo ");
                script.append(quote("input " + input.replace('\n', ' '))).append('\n');
            }
        }
        for (StrayPaths.Found found : BoxFiles.isRemote(place) ? StrayPaths.here(spec) : List.<StrayPaths.Found>of()) {
            script.append("[ -e ").append(quote(found.path())).append(" ] || echo ");
            script.append(quote("here " + found)).append('\n');
        }
        return script.append("echo end\n").toString();
    }

    /** Where the job's results go: its own directory, or the one that holds those of all jobs. */
    private static String results(BoxPlace place, JobSpec spec) {
        return FilledJob.requestedResults(spec)
                .filter(path -> path.startsWith("/"))
                .orElseGet(place::durable);
    }

    private static String runtime(BoxPlace place, JobSpec spec) {
        return spec.image().isEmpty()
                ? ""
                : place.settings()
                        .rules()
                        .runtime()
                        .orElse(BoxRules.ContainerRuntime.DOCKER)
                        .program();
    }

    /** What the answer means. */
    public List<Check> checks() {
        checks.add(
                answer.contains("writable 1\n")
                        ? Check.passed("directory is writable", place.base())
                        : Check.failed(
                                "directory is writable",
                                "User '" + first("user") + "' cannot create files in " + place.base() + ".",
                                "Choose another directory for this target, or give this user the right to write there."));
        words("results").forEach(this::results);
        words("data")
                .forEach(
                        found -> checks.add(
                                Check.failed(
                                        "data directory",
                                        "User '" + first("user") + "' cannot create files in " + place.data()
                                                + ", where downloads go" + because(place.data(), found) + ".",
                                        "Set dataDirectory to a directory that this user may write to, or give it the right to write there.")));
        space();
        words("missing")
                .forEach(program -> checks.add(Check.failed(
                        "programs", "There is no '" + program + "' on this machine.", "Install it; jobs need it.")));
        words("input")
                .forEach(input -> checks.add(Check.failed(
                        "inputs",
                        "The input " + input + " is not there or cannot be read.",
                        "Copy it there, or correct its path.")));
        words("here").forEach(path -> checks.add(here(path, place)));
        runtime();
        credentials();
        code();
        new GpuChecks(spec, options, answer).addTo(checks);
        return checks;
    }

    private void results(String found) {
        String path = results(place, spec);
        boolean own = FilledJob.requestedResults(spec).filter(path::equals).isPresent();
        checks.add(Check.failed(
                "results directory",
                "User '" + first("user") + "' cannot create files in " + path + ", where the results of the job go"
                        + because(path, found) + ".",
                "Set " + (own ? "resultsDir" : "durableDirectory")
                        + " to a directory that this user may write to, or give it the right to write there."));
    }

    /** Which directory forbids it, where that is another one. */
    private static String because(String path, String found) {
        return found.equals(path) ? "" : ": it has no right to write to " + found;
    }

    private void space() {
        BoxRules rules = place.settings().rules();
        for (String line : words("room")) {
            String[] words = line.split(" ", 3);
            if (words.length < 3 || !words[0].matches("\\d{1,18}") || !words[1].matches("\\d{1,18}")) {
                continue;
            }
            long gib = Long.parseLong(words[0]) / KIB_PER_GIB;
            long inodes = Long.parseLong(words[1]);
            String found = gib + " GiB and " + inodes + " inodes are free for " + words[2];
            boolean few = gib < rules.diskFloor() || (inodes > 0 && inodes < rules.inodeFloor());
            checks.add(
                    few
                            ? Check.failed(
                                    "room",
                                    "Only " + found + "; at least " + rules.diskFloor() + " GiB and "
                                            + rules.inodeFloor() + " inodes are asked for.",
                                    "Make room; on the command line: tao box largest " + place.name()
                                            + " shows what fills it. The minimums are leastDiskGib and leastInodes.")
                            : Check.passed("room", found));
        }
    }

    private void runtime() {
        String program = runtime(place, spec);
        if (!program.isEmpty()) {
            String version = first("runtime");
            checks.add(
                    version.isEmpty()
                            ? Check.failed(
                                    "container runtime",
                                    "The job names the image '" + spec.image().orElse("") + "', and '" + program
                                            + "' does not work for this user.",
                                    "Install it or let this user use it, set runtime to podman or apptainer, or leave image out.")
                            : Check.passed("container runtime", program + " " + version));
            if (!version.isEmpty() && BoxFiles.gpus(spec) > 0) {
                gpusOf(program).ifPresent(checks::add);
            }
        }
        boolean tmux = options.detach().or(place.settings().rules()::detach).orElse(BoxRules.Detach.SETSID)
                == BoxRules.Detach.TMUX;
        if (tmux && !answer.contains("tmux 1\n")) {
            checks.add(Check.warning(
                    "tmux",
                    "There is no tmux. Jobs run detached all the same, but you cannot attach to them.",
                    "Install tmux, or leave detach out."));
        }
    }

    /** Whether the engine can hand GPUs to a container; Apptainer finds them by itself. */
    private Optional<Check> gpusOf(String program) {
        String name = "GPUs in containers";
        Optional<String> hook = words("hook").stream().findFirst();
        Optional<String> cdi = words("cdi").stream().findFirst();
        return switch (program) {
            case "docker" ->
                Optional.of(hook.map(found -> Check.passed(name, found))
                        .or(() -> cdi.map(file -> Check.warning(
                                name,
                                "docker has no runtime of NVIDIA, only the devices of CDI in " + file
                                        + ", which older versions of it do not use.",
                                TOOLKIT)))
                        .orElseGet(() -> Check.failed(
                                name,
                                "docker has neither the runtime 'nvidia' nor its hook, and there are no devices of CDI: no"
                                        + " container here gets a GPU.",
                                TOOLKIT)));
            case "podman" ->
                Optional.of(cdi.map(file -> Check.passed(name, file))
                        .orElseGet(() -> Check.failed(
                                name,
                                "podman finds no CDI device nvidia.com/gpu in /etc/cdi or /var/run/cdi: no container here"
                                        + " gets a GPU.",
                                "Run 'sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml' on this machine.")));
            default -> Optional.empty();
        };
    }

    private void credentials() {
        String found = first("credentials");
        if (found.isEmpty()) {
            return;
        }
        String file = place.settings().places().credentialFile().orElse("");
        checks.add(
                found.equals("ok")
                        ? Check.passed("credential file", file)
                        : Check.failed(
                                "credential file",
                                "The credential file " + file + " " + found + ".",
                                "Put it on the box's own disk, owned by the jobs' user, mode 600."));
    }

    private void code() {
        if (answer.contains("code missing\n")) {
            checks.add(Check.failed(
                    "code",
                    "Nothing was pushed under the name '"
                            + options.preparation().code().orElse("") + "'.",
                    "Push it first, on the command line: tao box push " + place.name() + " DIRECTORY --name "
                            + options.preparation().code().orElse("") + "."));
        }
    }

    private String first(String word) {
        return words(answer, word).stream().findFirst().orElse("");
    }

    private List<String> words(String word) {
        return words(answer, word);
    }

    static List<String> words(String answer, String word) {
        List<String> found = new ArrayList<>();
        Matcher match = Pattern.compile("(?m)^" + word + " (.+)$").matcher(answer);
        while (match.find()) {
            found.add(match.group(1));
        }
        return found;
    }
}

package io.jenkins.plugins.tao.backend.notebook;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.Report.Check;
import io.jenkins.plugins.tao.backend.Report.Verdict;
import io.jenkins.plugins.tao.bind.RecordBinder;
import io.jenkins.plugins.tao.job.Durations;
import io.jenkins.plugins.tao.job.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a notebook can do with a job, seen from the job alone: the machine, its time, its paths. Pure. */
record KaggleShape(KaggleTarget target, JobSpec spec) {
    static final String WORKING = "/kaggle/working";
    static final String INPUT = "/kaggle/input";

    private static final int GPUS_OF_USUAL = 2;
    private static final String HOW_SECRETS =
            "Kaggle attaches secrets by hand in its editor only, and a notebook's source"
                    + " keeps what it holds in every version. Put the values into files of a private data set and name it as"
                    + " secretsDataset.";

    KaggleOptions options() {
        return RecordBinder.given(spec.options(), KaggleOptions.class);
    }

    /** How many GPUs the notebook insists on: what the job says, else one. */
    int gpus() {
        return spec.resources().gpusPerNode().orElse(1);
    }

    /** What Kaggle calls the machine; empty for one without GPU. */
    Optional<String> accelerator() {
        return gpus() == 0
                ? Optional.empty()
                : Optional.of(options().accelerator().orElseGet(target::usualAccelerator));
    }

    boolean internet() {
        return options().internet().or(target::internet).orElse(true);
    }

    /** How long one session may take. */
    Duration session() {
        Duration most = target.session(gpus() > 0);
        return spec.resources()
                .wallTime()
                .filter(time -> time.compareTo(most) < 0)
                .orElse(most);
    }

    /** Throws what {@link #checks} finds first. */
    void require() throws Rejected {
        Optional<Check> failed = checks().stream()
                .filter(check -> check.verdict() == Verdict.FAILED)
                .findFirst();
        if (failed.isPresent()) {
            throw new Rejected(failed.get().detail(), failed.get().remedy());
        }
    }

    List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        checks.add(image());
        checks.add(machine());
        checks.add(time());
        checks.add(results());
        checks.add(inputs());
        checks.add(secrets());
        checks.add(command());
        return checks;
    }

    private Check image() {
        return spec.image()
                .map(image -> Check.failed(
                        "image",
                        "The image " + image + " cannot run on Kaggle, which runs notebooks in its own image.",
                        "Leave image out and let the command install what it needs (pip, git), or use a target that runs"
                                + " containers."))
                .orElseGet(() -> Check.passed("image", "Kaggle's own"));
    }

    private Check machine() {
        if (spec.resources().nodes() > 1) {
            return Check.failed(
                    "machine",
                    "The job asks for " + spec.resources().nodes() + " nodes; a notebook has one machine.",
                    "Ask for one node, or use a target with a cluster behind it.");
        }
        boolean named = options().accelerator().isPresent();
        if (gpus() == 0 && named) {
            return Check.failed(
                    "machine",
                    "The job asks for no GPU and for the accelerator "
                            + options().accelerator().get() + ".",
                    "Leave one of the two out.");
        }
        boolean usual = !named && target.accelerator().isEmpty();
        if (gpus() > GPUS_OF_USUAL && usual) {
            return Check.failed(
                    "machine",
                    "The job asks for " + gpus() + " GPUs; NvidiaTeslaT4 has two.",
                    "Ask for at most two, or name an accelerator with more if the account has one.");
        }
        return Check.passed(
                "machine",
                accelerator().orElse("no accelerator") + ", internet " + (internet() ? "on" : "off")
                        + ", both said in the push");
    }

    private Check time() {
        Duration most = target.session(gpus() > 0);
        String limit = "Kaggle ends a session " + (gpus() > 0 ? "with GPUs" : "without GPUs") + " after "
                + Durations.words(most);
        int sessions = options().sessions().orElse(1);
        String chain = "For a longer training set sessions: 2 or more, and let the command resume from what lies in"
                + " {results_dir}.";
        Optional<Duration> wall = spec.resources().wallTime();
        if (wall.isPresent() && wall.get().compareTo(most) > 0 && sessions == 1) {
            return Check.failed(
                    "time", limit + ", the job asks for " + Durations.words(wall.get()) + ".", "Lower time. " + chain);
        }
        if (sessions > 1) {
            return Check.passed(
                    "time",
                    "at most " + sessions + " sessions of " + Durations.words(session())
                            + ", each going on from the last");
        }
        boolean near = wall.isEmpty() || wall.get().multipliedBy(10).compareTo(most.multipliedBy(9)) > 0;
        return near
                ? Check.warning("time", limit + "; there is no signal before that.", chain)
                : Check.passed("time", "the session ends after " + Durations.words(session()));
    }

    private Check results() {
        if (!spec.outputs().isEmpty()) {
            return Check.failed(
                    "results",
                    "The outputs " + String.join(", ", spec.outputs())
                            + " would stay behind: a notebook takes nothing away.",
                    "Leave outputs out: Kaggle keeps the files in {results_dir}, and archive fetches them.");
        }
        Optional<String> named = spec.resultsDirectory().or(this::namedInSpec);
        if (named.isEmpty() || lies(named.get(), WORKING)) {
            return Check.passed("results", "kept: " + named.orElse(WORKING));
        }
        return Check.failed(
                "results",
                "The results directory " + named.get() + " does not outlive the session: Kaggle keeps " + WORKING
                        + " alone; /kaggle/temp and /tmp are scratch.",
                "Leave the results directory out, or put it below " + WORKING + ".");
    }

    Optional<String> namedInSpec() {
        return Optional.ofNullable(spec.spec().get("results_dir"))
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .filter(text -> text.startsWith("/"));
    }

    private Check inputs() {
        for (String input : spec.inputs()) {
            if (!lies(input, INPUT)) {
                return Check.failed(
                        "inputs",
                        "The input " + input + " is not below " + INPUT + ", where Kaggle mounts data.",
                        "Attach it as datasets, kernels, competitions or models, and name it as " + INPUT
                                + "/<name>/<path>.");
            }
        }
        return Check.passed(
                "inputs",
                spec.inputs().isEmpty() ? "none" : spec.inputs().size() + ", looked for when the session starts");
    }

    private Check secrets() {
        if (!spec.secrets().isEmpty()) {
            return Check.failed(
                    "secrets",
                    "The secrets " + String.join(", ", spec.secrets().keySet()) + " cannot be handed to a notebook.",
                    HOW_SECRETS);
        }
        return LiteralSecret.in(spec)
                .map(place -> Check.failed(
                        "secrets", "There is something like a secret in " + place + " of the job.", HOW_SECRETS))
                .orElseGet(() -> Check.passed("secrets", "none in the source"));
    }

    private Check command() {
        return spec.spec().isEmpty() && spec.command().contains("{config_path}")
                ? Check.failed(
                        "command",
                        "The command names {config_path}, but the job has no spec.",
                        "Give the job a spec, or take {config_path} out of its command.")
                : Check.passed("command", "run by bash in " + where());
    }

    private String where() {
        return options().git().or(() -> options().codeDataset()).orElse("a scratch directory");
    }

    /** Plain words only, so that no path needs quotes in a command and none climbs out. */
    private static boolean lies(String path, String root) {
        return path.matches("[A-Za-z0-9/._@+=-]+")
                && !List.of(path.split("/", -1)).contains("..")
                && path.startsWith(root + "/")
                && path.length() > root.length() + 1;
    }
}

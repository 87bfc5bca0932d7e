package io.jenkins.plugins.tao.backend.box;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendException.Rejected;
import io.jenkins.plugins.tao.backend.box.options.BoxOptions;
import io.jenkins.plugins.tao.backend.box.options.BoxPreparation;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.OwnFile;
import io.jenkins.plugins.tao.payload.CommandInputs;
import io.jenkins.plugins.tao.payload.CommandResults;
import io.jenkins.plugins.tao.remote.shell.GpuShell;
import io.jenkins.plugins.tao.remote.shell.RendezvousShell;
import io.jenkins.plugins.tao.spec.FilledJob;
import io.jenkins.plugins.tao.spec.StrayPaths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The texts of a job's files. Pure.
 *
 * @param job files below the job's directory, by name
 * @param spec the text of the experiment spec; empty for none
 * @param repaired whether line ends of Windows were taken out of the command
 */
public record BoxFiles(Map<String, String> job, String spec, String resultsDirectory, boolean repaired) {
    public static BoxFiles render(BoxPlace place, JobSpec spec, JobKey key) throws Rejected {
        String results = BoxLayout.results(place, spec, key);
        BoxOptions options = options(spec);
        BoxPreparation preparation = options.preparation();
        if (spec.code().isPresent() && preparation.code().isPresent()) {
            throw new Rejected(
                    "Job '" + key + "' names code twice: a directory, and the pushed tree '"
                            + preparation.code().get() + "'.",
                    "Keep one: 'code' of the job, or 'code' among its options.");
        }
        refuseStrays(place, spec, key);
        BoxDownloads downloads = new BoxDownloads(place, preparation.downloads());
        CommandInputs fetched = fetched(place, spec, key);
        FilledJob filled = FilledJob.of(
                spec,
                key,
                FilledJob.Place.of(results, BoxLayout.spec(place.base(), key, spec.specFormat()), gpus(spec))
                        .data(text -> fetched.rewrite(downloads.addresses().rewrite(text))));
        Map<String, String> env = filled.env(BoxEnvironment.of(place, spec, key));
        spec.code().ifPresent(id -> env.put(FilledJob.CODE_DIR, BoxLayout.code(place.base(), id)));
        String command = fetched.before() + sent(spec, key, results, filled.command()) + "\n";
        Map<String, String> files = new LinkedHashMap<>();
        files.put("command", withoutReturns(command));
        files.put("env", BoxEnvironment.render(env, spec));
        files.put("settings", BoxSettingsText.render(place, spec, key, results));
        preparation.smoke().ifPresent(smoke -> files.put("smoke", withoutReturns(smoke) + "\n"));
        if (!preparation.packages().isEmpty()) {
            files.put("packages", String.join("\n", preparation.packages()) + "\n");
        }
        if (!preparation.downloads().isEmpty()) {
            files.put("downloads", downloads.list());
        }
        if (spec.image().isPresent()) {
            files.putAll(BoxContainer.files(place, spec, key, List.copyOf(env.keySet())));
        }
        programs(files);
        return new BoxFiles(files, filled.specText(), results, command.contains("\r"));
    }

    private static void refuseStrays(BoxPlace place, JobSpec spec, JobKey key) throws Rejected {
        for (StrayPaths.Found found : strays(place, spec)) {
            throw new Rejected(
                    "Job '" + key + "' cannot run: " + found + " lies on the controller, not on " + place.name() + ".",
                    "Copy it there, and write its path there.");
        }
    }

    private static void programs(Map<String, String> files) {
        for (String name : List.of("box.sh", "stages.sh", "wrapper.sh")) {
            files.put(name, OwnFile.text(BoxFiles.class, name));
        }
        files.put("gpus.sh", GpuShell.program());
        files.put("rendezvous.sh", RendezvousShell.functions());
    }

    /** With the copy of the results in S3 behind it, where the job names an address for them. */
    private static String sent(JobSpec spec, JobKey key, String results, String command) throws Rejected {
        try {
            return new CommandResults(spec, key, results).around(command, "");
        } catch (IllegalArgumentException e) {
            throw new Rejected(
                    "Job '" + key + "' cannot send its results: " + e.getMessage() + ".",
                    "Correct the address or the secrets, or name a path.");
        }
    }

    private static CommandInputs fetched(BoxPlace place, JobSpec spec, JobKey key) throws Rejected {
        try {
            List<String> own = spec.inputs().stream()
                    .filter(input -> !isDownloaded(spec, input))
                    .toList();
            own.forEach(BoxFiles::checkInput);
            return CommandInputs.of(spec, own, place.data());
        } catch (IllegalArgumentException e) {
            throw new Rejected(
                    "Job '" + key + "' cannot be given its inputs: " + e.getMessage() + ".",
                    "Correct it, or leave the input out.");
        }
    }

    /** A placeholder of what a parent left is a path once the job is sent. */
    private static void checkInput(String input) {
        require(
                input.startsWith("/") || input.startsWith("{parent.") || CommandInputs.isMeant(input),
                "nothing brings '%s' to the machine; write a path from the root, or name it under downloads in the options",
                input);
    }

    /** Whether the machine is another than this one. */
    static boolean isRemote(BoxPlace place) {
        return !place.type().equals(LocalType.NAME);
    }

    /** Addresses of files of this machine, of a job for another. */
    static List<StrayPaths.Found> strays(BoxPlace place, JobSpec spec) {
        return isRemote(place) ? StrayPaths.addresses(spec, path -> false) : List.of();
    }

    /** Whether {@code input} is among the downloads of the options, which say where it lies then. */
    static boolean isDownloaded(JobSpec spec, String input) {
        return options(spec).preparation().downloads().values().stream()
                .map(address -> address.replaceAll("/+$", ""))
                .anyMatch(address -> input.equals(address) || input.startsWith(address + "/"));
    }

    static BoxOptions options(JobSpec spec) {
        return spec.options()
                .filter(BoxOptions.class::isInstance)
                .map(BoxOptions.class::cast)
                .orElseGet(BoxOptions::defaults);
    }

    /** None unless the job asks for some. */
    static int gpus(JobSpec spec) {
        return spec.resources().gpusPerNode().orElse(0);
    }

    /** A form of Windows ends lines in CR LF, which a shell takes for part of the last word. */
    private static String withoutReturns(String text) {
        return text.replace("\r\n", "\n");
    }
}

package io.jenkins.plugins.tao.backend.slurm.submit;

import static io.jenkins.plugins.tao.remote.shell.ShellCommand.quote;

import io.jenkins.plugins.tao.backend.slurm.options.SlurmImage;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmOptions;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget.Launcher;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.text.OwnFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The conversion of a registry image to a squash file, by a job of its own on a partition without GPUs.
 *
 * @param image the reference, the same text for every way of writing it
 * @param file where the squash file lies, or will
 * @param fresh whether a file that is there is made anew
 */
public record SlurmConversion(
        String image, String file, boolean fresh, String partition, Duration timeout, String memory) {
    /** Enough for the largest of TAO's images on a busy node. */
    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    private static final String CPUS = "4";
    private static final String PROGRAM =
            OwnFile.text(SlurmConversion.class, "sqsh.sh") + OwnFile.text(SlurmConversion.class, "import.sh");

    /** What is to be converted for this job; empty when its image goes to the nodes as it is. */
    static Optional<SlurmConversion> of(SlurmTarget target, SlurmOptions options, JobSpec job) {
        Launcher launcher = options.launcher().or(target::launcher).orElse(Launcher.PYXIS);
        boolean wanted = options.useSqsh().or(target::useSqsh).orElse(target.convertsImages());
        String image = job.image().orElse("");
        if (!wanted || launcher != Launcher.PYXIS || !SlurmImage.isConvertible(image)) {
            return Optional.empty();
        }
        String plain = SlurmImage.plain(image);
        boolean fresh = options.forceReconvertLatest().orElse(false) && SlurmImage.isLatest(plain);
        return Optional.of(new SlurmConversion(
                plain,
                target.sqshCacheDir().orElse(target.layout().base() + "/sqsh") + "/" + SlurmImage.cacheName(plain),
                fresh,
                target.conversionPartition().orElse(SlurmTarget.CONVERSION_PARTITION),
                target.conversionTimeout().orElse(TIMEOUT),
                target.conversionMemory().orElse(SlurmTarget.CONVERSION_MEMORY)));
    }

    /** The batch script that makes the file. */
    String script(SlurmPlan plan) {
        List<String> lines = new ArrayList<>();
        lines.add("#!/bin/bash");
        directives(plan).forEach(option -> lines.add("#SBATCH --" + option));
        lines.add("");
        lines.add("tao_image=" + quote(image));
        lines.add("tao_sqsh=" + quote(file));
        lines.add("tao_fresh=" + (fresh ? "1" : ""));
        lines.add("tao_source=" + quote("docker://" + SlurmImage.forPyxis(image)));
        lines.add("");
        lines.add(PROGRAM);
        return String.join("\n", lines);
    }

    private List<String> directives(SlurmPlan plan) {
        List<String> options = new ArrayList<>();
        options.add("job-name=tao-sqsh-" + file.substring(file.lastIndexOf('/') + 1));
        options.add("nodes=1");
        options.add("ntasks=1");
        options.add("cpus-per-task=" + CPUS);
        options.add("mem=" + memory);
        options.add("time=" + Math.max(1, timeout.toMinutes()));
        options.add("partition=" + partition);
        plan.account().ifPresent(account -> options.add("account=" + account));
        options.add("output=" + plan.layout().logRoot() + "/sqsh-%j.log");
        options.add("open-mode=append");
        return options;
    }

    /** Shell text that ends the job with code 73 when its image is not there after all. */
    String guard() {
        String path = quote(file);
        return "[ \"$(head -c 4 " + path
                + " 2> /dev/null)\" = hsqs ] || { echo \"tao: the converted image is not there: \"" + path
                + " >&2; exit 73; }";
    }
}

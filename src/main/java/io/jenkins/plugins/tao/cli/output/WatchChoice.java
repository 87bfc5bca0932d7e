package io.jenkins.plugins.tao.cli.output;

import io.jenkins.plugins.tao.backend.ArtifactLimits;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.cli.terminal.OnInterrupt;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.failure.FailureRules;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.text.Sentences;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How a job is watched and what happens at its end. */
public final class WatchChoice {
    private static final String RULES_VARIABLE = "TAO_FAILURE_RULES";

    @Option(
            names = "--archive-dir",
            paramLabel = "DIR",
            defaultValue = "tao-artifacts",
            description = "Logs, status.json and what 'archive' names go to DIR/<id> (default: ${DEFAULT-VALUE}).")
    public String archiveDirectory = "";

    @Option(names = "--no-archive", description = "Fetch no files.")
    public boolean noArchive;

    @Option(
            names = "--archive-limit",
            paramLabel = "SIZE[,ALL]",
            converter = ArchiveLimit.class,
            description = "The largest file to fetch, and all together, as in 8G or 8G,100G; 'none' for no limit"
                    + " (default: 1G,4G). With 'tao wait', the files of an ended job are fetched again.")
    public Optional<ArtifactLimits> archiveLimit = Optional.empty();

    @Option(
            names = "--from-volume",
            description =
                    "Also fetch what 'archive' names from a volume that only jobs see, with a small pod or job that reads it"
                            + " (Kubernetes, Lepton). With 'tao wait', the files of an ended job are fetched again.")
    public boolean fromVolume;

    @Option(
            names = "--on-interrupt",
            paramLabel = "WHAT",
            description = "On Ctrl-C: ask, cancel or detach (default: ask on a terminal, else detach).")
    Optional<OnInterrupt> onInterrupt = Optional.empty();

    @Option(
            names = "--retries",
            paramLabel = "N",
            defaultValue = "10",
            description = "New attempts after failures of the machines (default: ${DEFAULT-VALUE}).")
    public int retries;

    @Option(
            names = "--avoid-nodes-for",
            paramLabel = "TIME",
            defaultValue = "1d",
            description =
                    "How long new attempts avoid a node that failed; 0m to avoid none (default: ${DEFAULT-VALUE}).")
    Duration avoidNodesFor = Duration.ofDays(1);

    @Option(
            names = "--stall-after",
            paramLabel = "TIME",
            defaultValue = "30m",
            description =
                    "How long a running job may write nothing until it counts as stalled (default: ${DEFAULT-VALUE}).")
    Duration stallAfter = Duration.ofMinutes(30);

    @Option(
            names = "--on-stall",
            paramLabel = "WHAT",
            defaultValue = "tell",
            description = "What to do with a stalled job: tell, cancel or retry (default: ${DEFAULT-VALUE}).")
    WatchPlan.OnStall onStall = WatchPlan.OnStall.TELL;

    @Option(
            names = "--idle-after",
            paramLabel = "TIME",
            description =
                    "How long the GPUs of a running job may compute nothing until it counts as stalled too (default: a notice"
                            + " after 30m, no action).")
    Optional<Duration> idleAfter = Optional.empty();

    @Option(
            names = "--failure-rules",
            paramLabel = "FILE",
            description = "Rules of this site that explain failures (default: $TAO_FAILURE_RULES).")
    Optional<String> failureRules = Optional.empty();

    @Option(
            names = "--give-up-after",
            paramLabel = "TIME",
            defaultValue = "1d",
            description = "Silence of the target after which the job counts as lost (default: ${DEFAULT-VALUE}).")
    public Duration giveUpAfter = Duration.ofDays(1);

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description = "The longest time between two looks (default: by the job's age and state).")
    Optional<Duration> interval = Optional.empty();

    /** Where what the job leaves is brought, and what happens to it is written down. */
    public Path folder(Surroundings here, JobHandle job) {
        return here.path(archiveDirectory).resolve(job.key().value());
    }

    /** What to bring home of what a job file names. */
    public ArtifactPlan archive(List<String> globs) {
        return ArtifactPlan.of(globs, archiveLimit.orElse(ArtifactLimits.USUAL)).fromVolume(fromVolume);
    }

    /** The plan for a job that may fail, with the rules of the site. */
    public WatchPlan plan(Surroundings here, WatchPlan.Secrets secrets) throws UsageException {
        Optional<String> file =
                failureRules.or(() -> Optional.ofNullable(here.env().get(RULES_VARIABLE)));
        if (file.isEmpty() || file.get().isBlank()) {
            return plan(secrets);
        }
        try {
            return plan(secrets).withRules(FailureRules.own().after(Files.readString(here.path(file.get()))));
        } catch (IOException e) {
            throw new UsageException(
                    "The rules of failures " + file.get() + " cannot be read: " + Sentences.why(e) + ".", e);
        } catch (IllegalArgumentException e) {
            throw new UsageException(file.get() + ": " + e.getMessage() + ".", e);
        }
    }

    public WatchPlan plan(WatchPlan.Secrets secrets) {
        return new WatchPlan(giveUpAfter, retries, interval, secrets)
                .withAvoidNodesFor(avoidNodesFor)
                .withStall(stallAfter, onStall)
                .withIdleAfter(idleAfter);
    }

    public OnInterrupt onInterrupt(Surroundings here) {
        return onInterrupt.orElse(here.terminal().live() ? OnInterrupt.ASK : OnInterrupt.DETACH);
    }
}

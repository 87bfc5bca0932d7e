package io.jenkins.plugins.tao.cli;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.WatchPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How a job is watched and what happens at its end. */
final class WatchChoice {
    @Option(
            names = "--archive-dir",
            paramLabel = "DIR",
            defaultValue = "tao-artifacts",
            description = "Logs, status.json and what 'archive' names go to DIR/<id> (default: ${DEFAULT-VALUE}).")
    String archiveDirectory = "";

    @Option(names = "--no-archive", description = "Bring nothing home.")
    boolean noArchive;

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
    int retries;

    @Option(
            names = "--give-up-after",
            paramLabel = "TIME",
            defaultValue = "1d",
            description = "Silence of the target after which the job counts as lost (default: ${DEFAULT-VALUE}).")
    Duration giveUpAfter = Duration.ofDays(1);

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description = "The longest time between two looks (default: by the job's age and state).")
    Optional<Duration> interval = Optional.empty();

    /** Where what the job leaves is brought, and what happens to it is written down. */
    Path folder(Surroundings here, JobHandle job) {
        return here.path(archiveDirectory).resolve(job.key().value());
    }

    WatchPlan plan(WatchPlan.Secrets secrets) {
        return new WatchPlan(giveUpAfter, retries, interval, secrets);
    }

    OnInterrupt onInterrupt(Surroundings here) {
        return onInterrupt.orElse(here.terminal().live() ? OnInterrupt.ASK : OnInterrupt.DETACH);
    }
}

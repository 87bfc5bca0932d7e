package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.backend.Tidying.Tidied;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.input.TargetsChoice;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "clean",
        description = "Removes what was staged on a target for jobs that ended long ago; results never.")
final class CleanVerb extends Verb {
    private static final int ROUNDS = 1000;

    @Parameters(index = "0", paramLabel = "TARGET", description = "The target, by its name.")
    String target = "";

    @Option(names = "--dry-run", description = "Only lists what would be removed.")
    boolean dryRun;

    @Mixin
    TargetsChoice targets = new TargetsChoice();

    @Override
    ExitCode run(Session session) throws UsageException, BackendException {
        Surroundings here = session.here();
        Target place = Targets.find(targets.targets, here).named(target).target();
        int jobs = 0;
        long kibibytes = 0;
        boolean more = true;
        for (int round = 0; more && round < ROUNDS; round++) {
            Optional<Tidied> tidied = session.dispatcher().tidy(place, dryRun);
            if (tidied.isEmpty()) {
                throw new UsageException("The target '" + target + "' keeps nothing that could be removed.");
            }
            tidied.get().jobs().forEach(here.out()::println);
            jobs += tidied.get().jobs().size();
            kibibytes += tidied.get().kibibytes();
            more = tidied.get().more() && !dryRun;
            if (tidied.get().more() && dryRun) {
                here.out().println("and more");
            }
        }
        here.out()
                .printf(
                        Locale.ROOT,
                        "%s what was staged for %d %s: %d MiB%n",
                        dryRun ? "Would remove" : "Removed",
                        jobs,
                        jobs == 1 ? "job" : "jobs",
                        kibibytes >> 10);
        return ExitCode.SUCCEEDED;
    }
}

package io.jenkins.plugins.tao.cli.verbs;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.input.TargetsChoice;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.CheckpointInterval;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs that look after a machine without a scheduler. */
@Command(
        name = "box",
        description = "Looks after a machine without a scheduler: its GPUs, its disk, its bill.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB")
final class BoxVerb {
    private static final int MIB = 1024 * 1024;
    private static final int LAST_PORT = 65_535;

    private BoxVerb() {}

    static CommandLine line(Surroundings here, Interrupts interrupts) {
        CommandLine line = new CommandLine(new BoxVerb());
        for (Verb verb : List.of(
                new Status(),
                new Largest(),
                new Port(),
                new Route(),
                new Push(),
                new Remind(),
                new Stop(),
                new Checkpoints())) {
            line.addSubcommand(verb.in(here, interrupts));
        }
        return line;
    }

    /** A verb about one target. */
    private abstract static class OfTarget extends Verb {
        @Parameters(index = "0", paramLabel = "TARGET", description = "The name of the target.")
        String name = "";

        @Mixin
        TargetsChoice targets = new TargetsChoice();

        abstract List<String> lines(Session session, Target target) throws UsageException, BackendException;

        @Override
        ExitCode run(Session session) throws UsageException, BackendException {
            Target target =
                    Targets.find(targets.targets, session.here()).named(name).target();
            lines(session, target).forEach(session.out()::println);
            return ExitCode.SUCCEEDED;
        }
    }

    @Command(name = "status", description = "GPUs and who uses them, disk, jobs, age, and what is owed.")
    private static final class Status extends OfTarget {
        @Override
        List<String> lines(Session session, Target target) throws BackendException {
            return session.dispatcher().machine(target, machine -> machine.look());
        }
    }

    @Command(name = "largest", description = "The largest directories, caches among them. Nothing is deleted.")
    private static final class Largest extends OfTarget {
        @Override
        List<String> lines(Session session, Target target) throws BackendException {
            return session.dispatcher().machine(target, machine -> machine.largest());
        }
    }

    @Command(
            name = "port",
            description = "How to reach a port of the machine, 6006 of TensorBoard unless another is given.")
    private static final class Port extends OfTarget {
        @Parameters(index = "1", arity = "0..1", paramLabel = "PORT", defaultValue = "6006")
        int port;

        @Override
        List<String> lines(Session session, Target target) throws BackendException {
            require(port >= 1 && port <= LAST_PORT, "a port is a number from 1 to %d, was %d", LAST_PORT, port);
            String tunnel = session.dispatcher().machine(target, machine -> machine.tunnel(port));
            return List.of(tunnel);
        }
    }

    @Command(name = "route", description = "How fast the route is that everything takes, both ways.")
    private static final class Route extends OfTarget {
        @Option(
                names = "--mib",
                paramLabel = "N",
                defaultValue = "32",
                description = "How much to send: ${DEFAULT-VALUE} MiB.")
        int mib;

        @Override
        List<String> lines(Session session, Target target) throws BackendException {
            long bytes = (long) mib * MIB;
            return session.dispatcher().machine(target, machine -> {
                machine.receive(1);
                long began = System.nanoTime();
                machine.send(bytes);
                long between = System.nanoTime();
                machine.receive(bytes);
                return List.of(speed("there", between - began), speed("back", System.nanoTime() - between));
            });
        }

        private String speed(String way, long nanos) {
            return String.format(Locale.ROOT, "%-5s %.1f MiB/s (%d MiB)", way, mib * 1e9 / Math.max(1, nanos), mib);
        }
    }

    @Command(name = "push", description = "Brings a directory there as a new version; only what changed is sent.")
    private static final class Push extends OfTarget {
        @Parameters(index = "1", paramLabel = "DIRECTORY")
        String directory = "";

        @Option(
                names = "--name",
                paramLabel = "NAME",
                description = "What jobs call it in the option code; else the directory's name.")
        Optional<String> as = Optional.empty();

        @Override
        List<String> lines(Session session, Target target) throws BackendException {
            java.nio.file.Path path = session.here().path(directory);
            String known = as.orElseGet(() -> String.valueOf(path.getFileName()));
            return session.dispatcher().machine(target, machine -> machine.push(path, known));
        }
    }

    @Command(name = "remind", description = "Reminds of a rented machine that still costs money; for a scheduled job.")
    private static final class Remind extends OfTarget {
        @Override
        List<String> lines(Session session, Target target) throws BackendException {
            return session.dispatcher().reminder(target);
        }
    }

    @Command(
            name = "stop",
            description =
                    "Releases the machine by the target's stopCommand, once no job runs and all results have been fetched.")
    private static final class Stop extends OfTarget {
        @Option(names = "--yes", description = "The user approves this. Without it nothing is done.")
        boolean yes;

        @Option(names = "--leave-results", description = "Results that have not been fetched may be lost.")
        boolean leave;

        @Override
        List<String> lines(Session session, Target target) throws UsageException, BackendException {
            if (!yes) {
                throw new UsageException("Nothing was stopped. Releasing '" + target.name()
                        + "' cannot be undone; give --yes when the user approves it.");
            }
            return session.dispatcher().machine(target, machine -> machine.release(leave));
        }
    }

    @Command(name = "checkpoints", description = "How often to write checkpoints so that the least time is lost.")
    private static final class Checkpoints extends Verb {
        @Option(names = "--cost", required = true, paramLabel = "TIME", description = "How long one takes, as in 30s.")
        Duration cost = Duration.ZERO;

        @Option(
                names = "--uptime",
                required = true,
                paramLabel = "TIME",
                description = "How long the machine lasts on average, as in 3h.")
        Duration uptime = Duration.ZERO;

        @Override
        ExitCode run(Session session) {
            long seconds = new CheckpointInterval(cost, uptime).length().toSeconds();
            session.out().println("Write a full checkpoint every " + seconds + " s.");
            return ExitCode.SUCCEEDED;
        }
    }
}

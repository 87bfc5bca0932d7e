package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.nodes.AvoidedNodes;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the nodes that jobs of this user avoid, and lets one be used again. */
@Command(
        name = "nodes",
        description = "Lists the nodes that jobs avoid because they failed under earlier ones (avoidFailedNodesFor of a"
                + " target).",
        synopsisSubcommandLabel = "[allow NAME]")
final class NodesVerb extends Verb {
    static CommandLine line(Surroundings here, Interrupts interrupts) {
        return new CommandLine(new NodesVerb().in(here, interrupts)).addSubcommand(new Allow().in(here, interrupts));
    }

    @Override
    ExitCode run(Session session) throws UsageException {
        Surroundings here = session.here();
        List<AvoidedNodes.Entry> all = all(here);
        if (all.isEmpty()) {
            here.out().println("No node is avoided.");
        }
        all.forEach(entry -> here.out().println(entry.target() + ": " + entry));
        return ExitCode.SUCCEEDED;
    }

    private static List<AvoidedNodes.Entry> all(Surroundings here) throws UsageException {
        return UsageException.reading(
                "The nodes that failed cannot be read",
                () -> here.avoidedNodes().all(here.now()));
    }

    @Command(name = "allow", description = "Lets jobs use a node again.")
    private static final class Allow extends Verb {
        @Parameters(paramLabel = "NAME", description = "The node, as the list names it.")
        String node = "";

        @Option(names = "--target", paramLabel = "NAME", description = "The target, where several avoid such a node.")
        Optional<String> target = Optional.empty();

        @Override
        ExitCode run(Session session) throws UsageException {
            Surroundings here = session.here();
            List<String> targets = all(here).stream()
                    .filter(entry -> entry.node().equals(node))
                    .map(AvoidedNodes.Entry::target)
                    .filter(name -> target.map(name::equals).orElse(true))
                    .toList();
            if (targets.isEmpty()) {
                throw new UsageException("No node '" + node + "' is avoided"
                        + target.map(name -> " on target '" + name + "'").orElse("") + "; 'tao nodes' lists those that"
                        + " are.");
            }
            if (targets.size() > 1) {
                throw new UsageException("'" + node + "' is avoided on several targets: " + String.join(", ", targets)
                        + ". Name one with --target.");
            }
            UsageException.writing(
                    "The nodes that failed cannot be written",
                    "",
                    () -> here.avoidedNodes().allow(targets.get(0), node));
            here.out().println("Jobs on " + targets.get(0) + " use " + node + " again.");
            return ExitCode.SUCCEEDED;
        }
    }
}

package io.jenkins.plugins.tao.cli.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.BackendType;
import io.jenkins.plugins.tao.backend.Discovery;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.input.TargetsChoice;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.journal.EventJson;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "discover",
        description = "Lists what jobs for a target can name, such as shapes and volumes; writes nothing anywhere.")
final class DiscoverVerb extends Verb {
    @Parameters(index = "0", paramLabel = "TARGET", description = "A target, or a backend that has one target.")
    String target = "";

    @Mixin
    TargetsChoice targets = new TargetsChoice();

    @Option(names = "--json", description = "One JSON object a line.")
    boolean json;

    @Override
    ExitCode run(Session session) throws UsageException, BackendException {
        Surroundings here = session.here();
        Target place = Targets.find(targets.targets, here).namedOrOfKind(target).target();
        BackendType type = here.types().of(place);
        if (!(type instanceof Discovery discovery)) {
            throw new UsageException("Targets of the backend '" + type.name() + "' cannot be asked what they have; "
                    + "docs/reference/" + type.name() + ".md lists what jobs can name.");
        }
        List<Discovery.Found> found = discovery.discover(place);
        found.forEach(each -> here.out().println(json ? json(each).toString() : line(each)));
        return ExitCode.SUCCEEDED;
    }

    private static String line(Discovery.Found found) {
        String facts = found.facts().entrySet().stream()
                .map(fact -> fact.getKey() + " " + fact.getValue())
                .collect(Collectors.joining(", "));
        return String.format("%-20s %-32s %s", found.kind(), found.value(), facts)
                .stripTrailing();
    }

    private static ObjectNode json(Discovery.Found found) {
        ObjectNode node = EventJson.event("found")
                .put("kind", found.kind())
                .put("field", found.field())
                .put("value", found.value());
        ObjectNode facts = node.putObject("facts");
        found.facts().forEach(facts::put);
        return node;
    }
}

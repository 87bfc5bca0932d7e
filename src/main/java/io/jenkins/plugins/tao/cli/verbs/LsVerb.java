package io.jenkins.plugins.tao.cli.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.input.Targets;
import io.jenkins.plugins.tao.cli.input.TargetsChoice;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.journal.EventJson;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "ls",
        description = "Shows whether a path exists for jobs of a target, and what it contains; writes nothing.")
final class LsVerb extends Verb {
    @Parameters(index = "0", paramLabel = "TARGET", description = "The target, by its name.")
    String target = "";

    @Parameters(
            index = "1",
            paramLabel = "PATH",
            description = "As an input of a job: a path from the root, lustre://…, slurm://… or s3://….")
    String path = "";

    @Mixin
    TargetsChoice targets = new TargetsChoice();

    @Option(names = "--json", description = "One JSON object a line.")
    boolean json;

    @Override
    ExitCode run(Session session) throws UsageException, BackendException {
        Surroundings here = session.here();
        Target place = Targets.find(targets.targets, here).named(target).target();
        Optional<Paths.Listing> found = session.dispatcher().list(place, path);
        if (found.isEmpty()) {
            here.err().println("tao: there is nothing at " + path + " on target '" + target + "'.");
            return ExitCode.REFUSED;
        }
        Paths.Listing listing = found.get();
        boolean directory = listing.itself().kind() == Paths.Kind.DIRECTORY;
        List<Paths.Entry> shown = directory ? listing.entries() : List.of(listing.itself());
        shown.forEach(entry -> here.out().println(json ? json(entry).toString() : line(entry)));
        if (listing.more()) {
            here.err().println("tao: there is more; only the first " + shown.size() + " are shown.");
        }
        return ExitCode.SUCCEEDED;
    }

    /** A name must not write on the terminal what it likes. */
    private static String line(Paths.Entry entry) {
        String size = entry.size().isPresent() ? Long.toString(entry.size().getAsLong()) : "-";
        String slash = entry.kind() == Paths.Kind.DIRECTORY ? "/" : "";
        return String.format("%15s  %s%s", size, entry.name().replaceAll("\\p{Cntrl}", "?"), slash);
    }

    private static ObjectNode json(Paths.Entry entry) {
        ObjectNode node = EventJson.event("path")
                .put("name", entry.name())
                .put("kind", entry.kind().name().toLowerCase(Locale.ROOT));
        entry.size().ifPresent(size -> node.put("size", size));
        return node;
    }
}

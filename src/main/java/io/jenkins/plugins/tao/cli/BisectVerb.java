package io.jenkins.plugins.tao.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jenkins.plugins.tao.gate.Bisect;
import io.jenkins.plugins.tao.journal.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "bisect",
        description = "Finds the first bad commit: runs a command for commits between a good and a bad one, with the"
                + " gate as judge. It goes on where it was.")
final class BisectVerb extends Verb {
    private static final JsonMapper JSON = new JsonMapper();

    @Option(names = "--good", required = true, paramLabel = "COMMIT", description = "A commit that was good.")
    String good = "";

    @Option(names = "--bad", required = true, paramLabel = "COMMIT", description = "A later commit that is bad.")
    String bad = "";

    @Option(
            names = "--command",
            required = true,
            paramLabel = "COMMAND",
            description =
                    "What judges a commit, given in $TAO_COMMIT: a script that checks it out and ends with 'tao run' or"
                            + " 'tao gate'. Exit code 0 is good, 5 and 6 are bad, all others say nothing.")
    String command = "";

    @Option(
            names = "--budget",
            paramLabel = "N",
            defaultValue = "8",
            description = "How many commits may be run in all (default: ${DEFAULT-VALUE}).")
    int budget;

    @Option(
            names = "--state",
            paramLabel = "FILE",
            defaultValue = "tao-bisect.json",
            description = "Where the answers are kept (default: ${DEFAULT-VALUE}).")
    String state = "";

    BisectVerb(Surroundings here, Interrupts interrupts) {
        super(here, interrupts);
    }

    @Override
    ExitCode run(Session session) throws UsageException, InterruptedException {
        Surroundings here = session.here();
        Path file = here.path(state);
        Bisect search = begin(here, file);
        for (Optional<String> next = search.next(); next.isPresent(); next = search.next()) {
            here.out()
                    .println("judging " + next.get() + " (" + (search.answers().size() + 1) + " of at most " + budget
                            + ")");
            here.out().flush();
            Bisect.Answer answer = judge(here, next.get());
            here.out().println(next.get() + " is " + answer.name().toLowerCase(Locale.ROOT));
            search = search.with(next.get(), answer);
            keep(file, search);
        }
        here.out().println(search.sentence());
        here.out().flush();
        return ExitCode.SUCCEEDED;
    }

    private Bisect begin(Surroundings here, Path file) throws UsageException, InterruptedException {
        List<String> commits = Output.of(
                        here, Map.of(), "git", "rev-list", "--reverse", "--first-parent", good + ".." + bad)
                .lines("git knows no way from " + good + " to " + bad);
        try {
            return new Bisect(commits, kept(file, commits), budget);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage() + ".", e);
        }
    }

    /** Answers of an earlier search that are about these commits. */
    private static Map<String, Bisect.Answer> kept(Path file, List<String> commits) throws UsageException {
        Map<String, Bisect.Answer> answers = new LinkedHashMap<>();
        if (!Files.isRegularFile(file)) {
            return answers;
        }
        try {
            JsonNode saved = JSON.readTree(Files.readString(file)).path("answers");
            saved.properties().forEach(entry -> {
                if (commits.contains(entry.getKey())) {
                    answers.put(
                            entry.getKey(),
                            Bisect.Answer.valueOf(entry.getValue().asText()));
                }
            });
            return answers;
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new UsageException(file + " holds no search. Delete it, or give another --state.", e);
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private static void keep(Path file, Bisect search) throws UsageException {
        ObjectNode node = JSON.createObjectNode().put("schema", 1);
        ObjectNode answers = node.putObject("answers");
        search.answers().forEach((commit, answer) -> answers.put(commit, answer.name()));
        try {
            DurableFile.write(file, node.toPrettyString() + "\n");
        } catch (IOException e) {
            throw new UsageException("The search cannot be kept in " + file + ": " + e.getMessage() + ".", e);
        }
    }

    private Bisect.Answer judge(Surroundings here, String commit) throws UsageException, InterruptedException {
        int code = Output.of(here, Map.of("TAO_COMMIT", commit), "sh", "-c", command)
                .exitCode();
        if (code == ExitCode.SUCCEEDED.number()) {
            return Bisect.Answer.GOOD;
        }
        return code == ExitCode.GATE_FAILED.number() || code == ExitCode.GATE_UNSTABLE.number()
                ? Bisect.Answer.BAD
                : Bisect.Answer.UNKNOWN;
    }

    /** What a program printed, and how it ended. */
    private record Output(int exitCode, String text) {
        static Output of(Surroundings here, Map<String, String> more, String... words)
                throws UsageException, InterruptedException {
            ProcessBuilder builder =
                    new ProcessBuilder(words).directory(here.directory().toFile());
            builder.environment().putAll(more);
            builder.redirectErrorStream(true);
            try {
                Process process = builder.start();
                process.getOutputStream().close();
                String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return new Output(process.waitFor(), text);
            } catch (IOException e) {
                throw new UsageException(words[0] + " cannot be started: " + e.getMessage() + ".", e);
            }
        }

        List<String> lines(String otherwise) throws UsageException {
            List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
            if (exitCode != 0 || lines.isEmpty()) {
                throw new UsageException(otherwise + ".");
            }
            return lines;
        }
    }
}

package io.jenkins.plugins.tao.cli.verbs;

import io.jenkins.plugins.tao.cli.input.BisectFile;
import io.jenkins.plugins.tao.cli.jobs.Session;
import io.jenkins.plugins.tao.cli.terminal.ExitCode;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.gate.Bisect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "bisect",
        description = "Finds the first bad commit: runs a command for commits between a good and a bad one, with the"
                + " gate as judge. The same call continues where it stopped.")
final class BisectVerb extends Verb {
    /** From here on a shell tells that a signal ended a program, Ctrl-C with 130. */
    private static final int SIGNALLED = 128;

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
                            + " 'tao gate'. Exit code 0 is good, 5 and 6 are bad, others below 128 say nothing; from"
                            + " 128 on the search stops where it is.")
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

    @Override
    ExitCode run(Session session) throws UsageException, InterruptedException {
        Surroundings here = session.here();
        BisectFile file = new BisectFile(here.path(state), command);
        Bisect search = begin(here, file);
        for (Optional<String> next = search.next(); next.isPresent(); next = search.next()) {
            String commit = next.get();
            here.out()
                    .println(
                            "judging " + commit + " (" + (search.answers().size() + 1) + " of at most " + budget + ")");
            here.out().flush();
            int code = judge(here, commit);
            if (code >= SIGNALLED || session.interrupts().take()) {
                return interrupted(here, commit, code);
            }
            Bisect.Answer answer = answer(code);
            search = search.with(commit, answer);
            file.keep(search);
            here.out().println(commit + " is " + answer.name().toLowerCase(Locale.ROOT));
        }
        here.out().println(search.sentence());
        here.out().flush();
        return ExitCode.SUCCEEDED;
    }

    private static ExitCode interrupted(Surroundings here, String commit, int code) {
        here.err()
                .println("The command was interrupted (exit code " + code + ") and says nothing of " + commit
                        + ". The same call continues there; 'tao list' shows a job that it has left running.");
        return code == ExitCode.DETACHED.number() ? ExitCode.DETACHED : ExitCode.NO_VERDICT;
    }

    private Bisect begin(Surroundings here, BisectFile file) throws UsageException, InterruptedException {
        List<String> commits = between(here);
        Map<String, Bisect.Answer> known = file.answers(commits);
        try {
            return new Bisect(commits, known, budget);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage() + ".", e);
        }
    }

    private List<String> between(Surroundings here) throws UsageException, InterruptedException {
        Process git = start(here, Map.of(), "git", "rev-list", "--reverse", "--first-parent", good + ".." + bad, "--");
        CompletableFuture<String> said = CompletableFuture.supplyAsync(() -> text(git.getErrorStream()));
        List<String> commits = text(git.getInputStream()).lines().toList();
        if (git.waitFor() != 0 || commits.isEmpty()) {
            String why = said.join().strip();
            throw new UsageException(
                    "git knows no way from " + good + " to " + bad + (why.isEmpty() ? "." : ": " + why));
        }
        return commits;
    }

    /** Runs the command; what it prints is shown as it comes. */
    private int judge(Surroundings here, String commit) throws UsageException, InterruptedException {
        Process process = start(here, Map.of("TAO_COMMIT", commit), "sh", "-c", "exec 2>&1; " + command);
        try {
            process.getInputStream().transferTo(here.err());
        } catch (IOException e) {
            here.err().println("What the command prints cannot be read any more: " + e.getMessage());
        }
        here.err().flush();
        return process.waitFor();
    }

    private static Bisect.Answer answer(int code) {
        if (code == ExitCode.SUCCEEDED.number()) {
            return Bisect.Answer.GOOD;
        }
        return code == ExitCode.GATE_FAILED.number() || code == ExitCode.GATE_UNSTABLE.number()
                ? Bisect.Answer.BAD
                : Bisect.Answer.UNKNOWN;
    }

    private static Process start(Surroundings here, Map<String, String> more, String... words) throws UsageException {
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(here.directory().toFile());
        builder.environment().putAll(more);
        return UsageException.reading(words[0] + " cannot be started", () -> {
            Process process = builder.start();
            process.getOutputStream().close();
            return process;
        });
    }

    private static String text(InputStream in) {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.jenkins.plugins.tao.cli.jobs;

import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.code.CodeFolder;
import io.jenkins.plugins.tao.job.GitCode;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Who starts a run here, and of which code: what a CI system says in the environment, else what git says of the directory. */
public record CodeVersion(Surroundings here) {
    private static final long SECONDS = 10;
    private static final List<String> COMMITS = List.of("GIT_COMMIT", "CI_COMMIT_SHA", "GITHUB_SHA");
    private static final List<String> BRANCHES =
            List.of("BRANCH_NAME", "GIT_BRANCH", "CI_COMMIT_BRANCH", "GITHUB_REF_NAME");
    private static final List<String> BUILDS =
            List.of("TAO_NIGHT", "BUILD_NUMBER", "CI_PIPELINE_IID", "GITHUB_RUN_NUMBER");

    /** What is known of a run of {@code job}: of its own code first, where it has some. */
    public static RunOrigin origin(Surroundings here, Assignment job) {
        return origin(here, job, origin(here));
    }

    /** The same where it is known what is known of {@code any} run: git is asked once for many jobs. */
    public static RunOrigin origin(Surroundings here, Assignment job, RunOrigin any) {
        RunOrigin named = any.with(RunOrigin.JOB, job.name());
        RunOrigin asked =
                job.cell().map(cell -> cell.origin(named, job.key().value())).orElse(named);
        RunOrigin origin = Confirming.origin(asked, job.request());
        Optional<GitCode> fetched = job.spec().gitCode();
        if (fetched.isPresent()) {
            return origin.with(RunOrigin.CODE, fetched.get().commit())
                    .with(RunOrigin.BRANCH, "")
                    .with(RunOrigin.DIRTY, "false");
        }
        return job.code()
                .map(CodeFolder::listing)
                .filter(code -> !code.commit().isEmpty())
                .map(code -> origin.with(RunOrigin.CODE, code.commit()).with(RunOrigin.DIRTY, code.dirty()))
                .orElse(origin);
    }

    /** What is known of any run that starts here. */
    public static RunOrigin origin(Surroundings here) {
        return new CodeVersion(here).ofAny();
    }

    private RunOrigin ofAny() {
        RunOrigin origin = RunOrigin.UNKNOWN
                .with(RunOrigin.DOOR, "cli")
                .with(RunOrigin.BUILD, first(BUILDS).map(CodeVersion::label).orElse(""))
                .with(RunOrigin.USER, here.env().getOrDefault("USER", ""))
                .with(RunOrigin.CONFIRMS, here.env().getOrDefault("TAO_CONFIRMS", ""))
                .with(RunOrigin.BESIDE, here.env().getOrDefault("TAO_BESIDE", ""));
        Optional<String> commit = first(COMMITS);
        if (commit.isPresent()) {
            return origin.with(RunOrigin.CODE, commit.get())
                    .with(RunOrigin.BRANCH, first(BRANCHES).orElse(""));
        }
        Optional<Answer> head = git("rev-parse", "HEAD").filter(answer -> answer.code() == 0);
        return head.isEmpty()
                ? origin
                : origin.with(RunOrigin.CODE, head.get().text())
                        .with(RunOrigin.BRANCH, branch())
                        .with(RunOrigin.DIRTY, dirty());
    }

    private String branch() {
        return git("rev-parse", "--abbrev-ref", "HEAD")
                .filter(answer -> answer.code() == 0)
                .map(Answer::text)
                .orElse("");
    }

    /** Whether tracked files differ from the commit; blank when git does not say. Nothing is printed: a list could fill the pipe. */
    private String dirty() {
        return git("diff", "--quiet", "HEAD")
                .filter(answer -> answer.code() <= 1)
                .map(answer -> String.valueOf(answer.code() == 1))
                .orElse("");
    }

    /** A number is the number of a build. */
    private static String label(String build) {
        return build.matches("\\d+") ? "#" + build : build;
    }

    private Optional<String> first(List<String> names) {
        return names.stream()
                .map(name -> here.env().getOrDefault(name, ""))
                .filter(value -> !value.isBlank())
                .findFirst();
    }

    private record Answer(int code, String text) {}

    /** What git prints, warnings left out; empty when there is no git, or no answer in time. */
    private Optional<Answer> git(String... words) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        try {
            Process git = new ProcessBuilder(command)
                    .directory(here.directory().toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            git.getOutputStream().close();
            if (!git.waitFor(SECONDS, TimeUnit.SECONDS)) {
                git.destroyForcibly();
                return Optional.empty();
            }
            String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Optional.of(new Answer(git.exitValue(), text.strip()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}

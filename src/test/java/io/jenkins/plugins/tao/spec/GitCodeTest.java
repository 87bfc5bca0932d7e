package io.jenkins.plugins.tao.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.job.GitCode;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Secret;
import io.jenkins.plugins.tao.job.Work;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A commit that a job fetches itself, with a real git and a server that wants a password. */
class GitCodeTest {
    private static final String TOKEN = "hidden-token-4711";
    private static final String COMMAND = "pwd; ./train.sh; echo \"[$TAO_CODE_DIR][${TAO_GIT_CREDENTIAL-}]\"";

    @TempDir
    Path directory;

    private String first = "";
    private String second = "";

    @BeforeEach
    void aRepository() throws Exception {
        Path work = Files.createDirectories(directory.resolve("work"));
        git(work, "init", "-q", "-b", "main");
        first = commit(work, "echo one");
        second = commit(work, "echo two");
        git(
                directory,
                "clone",
                "-q",
                "--bare",
                work.toString(),
                directory.resolve("srv/team/train.git").toString());
    }

    private static String commit(Path work, String line) throws Exception {
        Files.writeString(work.resolve("train.sh"), "#!/bin/sh\n" + line + "\n");
        work.resolve("train.sh").toFile().setExecutable(true);
        git(work, "add", "-A");
        git(work, "-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "-qm", line);
        return git(work, "rev-parse", "HEAD").strip();
    }

    private static String git(Path where, String... words) throws Exception {
        List<String> command = new java.util.ArrayList<>(List.of("git", "-C", where.toString()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }

    private record Ran(int code, String text) {}

    private Ran run(String shell, GitCode code, Map<String, String> env) throws Exception {
        JobSpec job = JobSpec.of(COMMAND).gitCode(code).build();
        String results = directory.resolve("re sults").toString();
        String text = FilledJob.of(job, new JobKey("job-1"), FilledJob.Place.of(results, "/s.yaml", 1))
                .command();
        assertThat(text).doesNotContain(TOKEN);
        List<String> words = new java.util.ArrayList<>(List.of(shell.split(" ")));
        words.addAll(List.of("-c", text));
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).directory(directory.toFile());
        builder.environment().putAll(Map.of("TAO_RESULTS_DIR", results, "HOME", directory.toString()));
        builder.environment().putAll(env);
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), said);
    }

    /** A git that notes what it is called with. */
    private String noting() throws IOException {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Path git = bin.resolve("git");
        Files.writeString(
                git, "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'" + directory + "/calls'\nexec /usr/bin/git \"$@\"\n");
        git.toFile().setExecutable(true);
        return bin + ":" + System.getenv("PATH");
    }

    @ParameterizedTest
    @MethodSource("io.jenkins.plugins.tao.spec.CheckpointCase#shells")
    @Promise("NS-03")
    void aKeyLiesInMemoryWhileGitAsksAndOneThatAKilledJobLeftIsRemoved(String shell) throws Exception {
        Path git = Files.createDirectories(directory.resolve("bin")).resolve("git");
        Files.writeString(
                git,
                "#!/bin/sh\ncase $* in *fetch*) echo \"$TAO_GIT_KEY $(cat \"$TAO_GIT_KEY\")\" >>'" + directory
                        + "/keys'; exit 1 ;; esac\nexec /usr/bin/git \"$@\"\n");
        git.toFile().setExecutable(true);
        Path left =
                Files.createDirectories(directory.resolve("re sults/.tao/code")).resolve("abc.gpu01.7.part.key");
        Files.writeString(left, "old");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minusSeconds(7200)));
        GitCode code = new GitCode("ssh://git@127.0.0.1/x.git", first, Optional.of(GitCode.SECRET));

        Ran ran =
                run(shell, code, Map.of(GitCode.SECRET, TOKEN, "PATH", git.getParent() + ":" + System.getenv("PATH")));

        assertThat(ran.code()).as(ran.text()).isEqualTo(66);
        String[] key = Files.readAllLines(directory.resolve("keys")).get(0).split(" ", -1);
        assertThat(key[0]).startsWith("/dev/shm/tao-git.");
        assertThat(key[1]).isEqualTo(TOKEN);
        assertThat(Path.of(key[0])).doesNotExist();
        assertThat(left).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource("io.jenkins.plugins.tao.spec.CheckpointCase#shells")
    @Promise("NS-03")
    void theCommandStartsInTheCommitAndTheCredentialIsNowhereToBeSeen(String shell) throws Exception {
        try (GitServer server = new GitServer(directory.resolve("srv"), "x-access-token", TOKEN)) {
            GitCode code = new GitCode(server.url("team/train.git"), first, Optional.of(GitCode.SECRET));
            Map<String, String> env = Map.of(GitCode.SECRET, TOKEN, "PATH", noting());

            Ran ran = run(shell, code, env);
            int asked = server.addresses().size();
            Ran again = run(shell, code, env);

            Path place = directory.resolve("re sults/.tao/code/" + first);
            assertThat(ran.text())
                    .isEqualTo("tao: the code of the job is commit " + first + " of " + code.url() + "\n" + place
                            + "\none\n[" + place + "][]\n");
            assertThat(again.text()).startsWith(place + "\none\n");
            assertThat(server.addresses()).hasSize(asked);
            assertThat(Files.readString(directory.resolve("calls")))
                    .contains("fetch")
                    .doesNotContain(TOKEN);
            assertThat(server.addresses()).noneMatch(address -> address.contains(TOKEN));
            assertThat(Files.readString(place.resolve(".git/config"))).doesNotContain(TOKEN);
            assertThat(place.resolve("train.sh").toFile().getName()).isEqualTo("train.sh");
            assertThat(Files.getPosixFilePermissions(place.resolve("train.sh")))
                    .noneMatch(permission -> permission.name().endsWith("WRITE"));
            try (java.util.stream.Stream<Path> left = Files.list(place.resolveSibling(""))) {
                assertThat(left.toList()).containsExactly(place);
            }
        }
    }

    @Test
    @Promise("NS-03")
    void aUserWithAPasswordAndAnOlderCommitAreTaken() throws Exception {
        try (GitServer server = new GitServer(directory.resolve("srv"), "build", TOKEN + ":x")) {
            GitCode code = new GitCode(server.url("team/train.git"), second, Optional.of(GitCode.SECRET));

            Ran ran = run("dash", code, Map.of(GitCode.SECRET, "build:" + TOKEN + ":x"));

            assertThat(ran.text()).contains("\ntwo\n");
        }
    }

    @Test
    @Promise("NS-03")
    void whatCannotBeFetchedStartsNothingAndSaysWhy() throws Exception {
        try (GitServer server = new GitServer(directory.resolve("srv"), "x-access-token", TOKEN)) {
            String url = server.url("team/train.git");
            Ran denied = run(
                    "dash",
                    new GitCode(url, first, Optional.of(GitCode.SECRET)),
                    Map.of(GitCode.SECRET, "wrong-" + TOKEN));
            Ran unknown = run(
                    "dash",
                    new GitCode(url, "0".repeat(40), Optional.of(GitCode.SECRET)),
                    Map.of(GitCode.SECRET, TOKEN));
            Path bin = Files.createDirectories(directory.resolve("few"));
            for (String name : List.of("uname", "mkdir")) {
                Files.createSymbolicLink(bin.resolve(name), Path.of("/usr/bin/" + name));
            }
            Ran bare = run("dash", new GitCode(url, first, Optional.empty()), Map.of("PATH", bin.toString()));

            assertThat(denied.code()).isEqualTo(66);
            assertThat(denied.text())
                    .contains(url + " could not be fetched")
                    .doesNotContain("one")
                    .doesNotContain(TOKEN);
            assertThat(unknown.code()).isEqualTo(66);
            assertThat(unknown.text()).contains("has no commit 0000").contains("push it");
            assertThat(bare.code()).isEqualTo(66);
            assertThat(bare.text()).contains("git is not in this image or on this machine");
        }
    }

    @Test
    @Promise("NS-03")
    void anAddressWithAPasswordAndABranchInPlaceOfACommitAreRefused() {
        assertThatThrownBy(() ->
                        new GitCode("https://me:" + TOKEN + "@git.example/x.git", "a".repeat(40), Optional.empty()))
                .hasMessageContaining("must hold no user or password")
                .hasMessageNotContaining(TOKEN);
        assertThatThrownBy(() -> new GitCode("https://git.example/x.git", "main", Optional.empty()))
                .hasMessage("'main' is not a commit: 40 hexadecimal digits, all of them");
        assertThatThrownBy(() -> new GitCode("--upload-pack=sh", "a".repeat(40), Optional.empty()))
                .hasMessageContaining("is not an address");
        GitCode one = new GitCode("git@git.example:x.git", "a".repeat(40), Optional.empty());
        GitCode other = new GitCode("git@git.example:x.git", "b".repeat(40), Optional.empty());
        assertThat(Work.of(JobSpec.of("x").gitCode(one).build()))
                .isNotEqualTo(Work.of(JobSpec.of("x").gitCode(other).build()));
        assertThat(JobSpec.of("x").secrets(Map.of("A", Secret.of("b"))).build().gitCode())
                .isEmpty();
    }
}

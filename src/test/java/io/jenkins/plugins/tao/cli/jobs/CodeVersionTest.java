package io.jenkins.plugins.tao.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import io.jenkins.plugins.tao.record.RunOrigin;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeVersionTest {
    @TempDir
    Path directory;

    private RunOrigin origin() {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());
        Surroundings here = new Surroundings(
                Map.of(),
                directory,
                directory,
                new Surroundings.Terminal(false, new ByteArrayInputStream(new byte[0]), nowhere, nowhere),
                Clock.systemUTC(),
                BackendTypes.of(),
                HastyTicker::new);
        return CodeVersion.origin(here);
    }

    private void git(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(git.waitFor()).isZero();
    }

    @Test
    void theCommitAndItsChangesAreKnownHoweverManyFilesChanged() throws Exception {
        git("init");
        String long128 = "x".repeat(128);
        for (int i = 0; i < 800; i++) { // their names fill more than a pipe holds
            Files.writeString(directory.resolve(long128 + i), "");
        }
        git("add", ".");
        git("commit", "-m", "first");

        assertThat(origin().fact(RunOrigin.CODE).orElse("")).matches("[0-9a-f]{40}");
        assertThat(origin().fact(RunOrigin.DIRTY)).hasValue("false");
        for (int i = 0; i < 800; i++) {
            Files.writeString(directory.resolve(long128 + i), "changed");
        }
        assertThat(origin().fact(RunOrigin.DIRTY)).hasValue("true");
    }

    @Test
    void withoutARepositoryNothingIsInvented() {
        assertThat(origin().fact(RunOrigin.CODE)).isEqualTo(Optional.empty());
        assertThat(origin().fact(RunOrigin.DIRTY)).isEqualTo(Optional.empty());
    }
}

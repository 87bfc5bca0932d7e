package io.jenkins.plugins.tao.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Paths.Entry;
import io.jenkins.plugins.tao.backend.Paths.Kind;
import io.jenkins.plugins.tao.backend.Paths.Listing;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathListingTest {
    @TempDir
    Path directory;

    private final Host host = new LocalHost();

    private Optional<Listing> list(String path) throws BackendException {
        return PathListing.ask(host, "here", path, Duration.ofMinutes(1));
    }

    private Path file(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text);
    }

    private static Entry file(String name, long size) {
        return new Entry(name, Kind.FILE, OptionalLong.of(size));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "two words",
                "a'b\"c",
                "-rf",
                "*",
                "$(id)",
                "line\nbreak",
                ".hidden",
                "..dots",
                "ü~ß",
                "b\\n",
                "%s"
            })
    void aNameIsToldAsItIsWhateverItHolds(String name) throws Exception {
        Path file = file(name, "12345");
        file("other", "");

        assertThat(list(directory.toString()).orElseThrow().entries())
                .containsExactlyInAnyOrder(file(name, 5), file("other", 0));
        assertThat(list(file.toString()).orElseThrow()).satisfies(one -> {
            assertThat(one.itself()).isEqualTo(file(name, 5));
            assertThat(one.entries()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash", "busybox sh"})
    void theShellOfTheHostChangesNothing(String shell) throws Exception {
        file("a\nb", "12");
        file(".c", "");

        String script = shell + " -c " + ShellCommand.quote(PathListing.render(directory.toString()));
        Reply reply = host.run(script, Duration.ofMinutes(1));

        assertThat(PathListing.parse("here", "/x", reply.text()).orElseThrow().entries())
                .containsExactly(file(".c", 0), file("a\nb", 2));
    }

    @Test
    void directoriesLinksAndPipesAreToldApart() throws Exception {
        Files.createDirectories(directory.resolve("train/images"));
        file("train/big", "x".repeat(100_000));
        Files.createSymbolicLink(directory.resolve("train/to-big"), Path.of("big"));
        Files.createSymbolicLink(directory.resolve("train/to-nowhere"), Path.of("gone"));
        host.run("mkfifo " + directory + "/train/pipe", Duration.ofMinutes(1));

        Listing train = list(directory + "/train//").orElseThrow();

        assertThat(train.itself()).isEqualTo(new Entry("train", Kind.DIRECTORY, OptionalLong.empty()));
        assertThat(train.entries())
                .containsExactly(
                        file("big", 100_000),
                        new Entry("images", Kind.DIRECTORY, OptionalLong.empty()),
                        new Entry("pipe", Kind.OTHER, OptionalLong.empty()),
                        file("to-big", 100_000),
                        new Entry("to-nowhere", Kind.OTHER, OptionalLong.empty()));
        assertThat(train.more()).isFalse();
    }

    @Test
    void whatIsNotThereIsNeitherAnErrorNorEmpty() throws Exception {
        Files.createDirectories(directory.resolve("empty"));

        assertThat(list(directory + "/gone")).isEmpty();
        assertThat(list(directory + "/empty").orElseThrow().entries()).isEmpty();
    }

    @Test
    void anAnswerIsBoundedAndSaysSo() throws Exception {
        for (int i = 0; i <= Paths.MOST; i++) {
            file("f" + i, "");
        }

        Listing all = list(directory.toString()).orElseThrow();

        assertThat(all.entries()).hasSize(Paths.MOST);
        assertThat(all.more()).isTrue();
    }

    @Test
    void whatMayNotBeReadIsNotCalledAbsent() {
        assertThatThrownBy(() -> PathListing.parse(
                        "dgx", "/data/x", "denied\0ls: cannot access '/data/x': Permission denied\0end\0"))
                .isInstanceOf(BackendException.Denied.class)
                .hasMessageContaining("dgx", "/data/x");
    }

    @Test
    void halfAnAnswerIsNotTakenForAWholeOne() {
        assertThatThrownBy(() -> PathListing.parse("dgx", "/data", "directory\0-\0data\0file\0" + "5\0a\0"))
                .isInstanceOf(BackendException.Unreadable.class);
        assertThatThrownBy(() -> PathListing.parse("dgx", "/data", "")).isInstanceOf(BackendException.Unreadable.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"data", "", "s3://bucket/x", "hf_model://a/b"})
    void whatIsNoPathFromTheRootIsRefused(String path) {
        assertThatThrownBy(() -> list(path))
                .isInstanceOf(BackendException.Rejected.class)
                .satisfies(e -> assertThat(((BackendException) e).remedy()).contains("from the root"));
    }
}

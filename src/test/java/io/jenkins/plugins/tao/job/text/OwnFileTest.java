package io.jenkins.plugins.tao.job.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.jenkins.plugins.tao.remote.shell.RendezvousShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OwnFileTest {
    @Test
    void aFileIsLookedForBesideItsClass() {
        assertThat(OwnFile.text(RendezvousShell.class, "rendezvous.sh")).contains("tao_rendezvous");
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> OwnFile.text(OwnFile.class, "rendezvous.sh"))
                .withMessageContaining("rendezvous.sh is missing");
    }

    @Test
    void eachFileLiesBesideAClassThatNamesIt() throws IOException {
        Path sources = Path.of("src/main/java");
        Path resources = Path.of("src/main/resources");
        List<Path> alone = new ArrayList<>();
        try (Stream<Path> files = Files.walk(resources.resolve("io"))) {
            for (Path file : files.filter(each -> each.toString().matches(".*\\.(sh|py|tsv|txt|md)"))
                    .toList()) {
                Path folder = sources.resolve(resources.relativize(file).getParent());
                if (!isNamed(folder, '"' + file.getFileName().toString() + '"')) {
                    alone.add(file);
                }
            }
        }

        assertThat(alone).isEmpty();
    }

    private static boolean isNamed(Path folder, String name) throws IOException {
        try (Stream<Path> classes = Files.list(folder)) {
            for (Path each : classes.filter(Files::isRegularFile).toList()) {
                if (Files.readString(each).contains(name)) {
                    return true;
                }
            }
            return false;
        }
    }
}

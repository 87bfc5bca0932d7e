package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ControllerIdentityTest {
    private static final String FILE = "io.jenkins.plugins.tao.controller";

    @TempDir
    Path directory;

    private static String id(Path home) {
        return ControllerIdentity.of(home, "instance", "https://ci.example/").id();
    }

    private Path home(String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }

    @Test
    void theSameHomeIsTheSameControllerAfterARestart() throws Exception {
        Path home = home("a");

        assertThat(id(home)).isEqualTo(id(home)).startsWith("jenkins-");
        assertThat(ControllerIdentity.of(home, "instance", "https://ci.example/")
                        .words())
                .isEqualTo("Jenkins https://ci.example/");
    }

    @Test
    void eachProcessHasASessionOfItsOwn() throws Exception {
        Path home = home("a");

        assertThat(ControllerIdentity.of(home, "instance", "").session())
                .isNotEqualTo(ControllerIdentity.of(home, "instance", "").session());
    }

    @Test
    void aCopiedHomeIsAnotherController() throws Exception {
        Path home = home("a");
        String original = id(home);
        Path copy = home("b");
        Files.copy(home.resolve(FILE), copy.resolve(FILE));

        assertThat(id(copy)).isNotEqualTo(original).isEqualTo(id(copy));
        assertThat(id(home)).isEqualTo(original);
    }

    @Test
    void aBackupPutBackInPlaceIsAnotherController() throws Exception {
        Path home = home("a");
        String original = id(home);
        Path backup = directory.resolve("backup");
        Files.copy(home.resolve(FILE), backup);
        Files.copy(backup, directory.resolve("restored"));
        Files.move(directory.resolve("restored"), home.resolve(FILE), StandardCopyOption.REPLACE_EXISTING);

        assertThat(id(home)).isNotEqualTo(original);
    }

    @Test
    void aHomeThatMovesKeepsItsIdentity() throws Exception {
        Path home = home("a");
        String original = id(home);

        assertThat(id(Files.move(home, directory.resolve("moved")))).isEqualTo(original);
    }

    @Test
    void anotherInstanceInTheSameHomeIsAnotherController() throws Exception {
        Path home = home("a");

        assertThat(ControllerIdentity.of(home, "other", "").id()).isNotEqualTo(id(home));
    }

    @Test
    void aFileThatIsBrokenIsMadeAnew() throws Exception {
        Path home = home("a");
        Files.writeString(home.resolve(FILE), "half");

        assertThat(id(home)).isEqualTo(id(home));
    }
}

package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jenkins.plugins.tao.Promise;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher {@code tao} beside a jar, in a directory of its own. */
class LauncherIT {
    private static final Path JAR = Path.of("target/tao-run-cli.jar").toAbsolutePath();

    @TempDir
    Path directory;

    private String tao(Path root, String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(root.resolve("tao").toString()), Stream.of(arguments))
                                .toList())
                .redirectErrorStream(true);
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }

    private static List<Path> archives(Path root) throws Exception {
        try (Stream<Path> files = Files.list(root.resolve("target"))) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        }
    }

    @Test
    @Promise("TR-61")
    void theFirstCommandMakesAnArchiveOfClassesAndTheNextOnesUseIt() throws Exception {
        assumeTrue(Files.exists(JAR), "no " + JAR + ": run ./mvnw package");
        Path root = Files.createDirectories(directory.resolve("a root with blanks"));
        Files.createDirectories(root.resolve("target"));
        Files.copy(Path.of("tao"), root.resolve("tao"));
        assertThat(root.resolve("tao").toFile().setExecutable(true)).isTrue();
        Files.copy(JAR, root.resolve("target/tao-run-cli.jar"));

        assertThat(tao(root, "--version")).startsWith("tao-run ").hasLineCount(1);
        assertThat(archives(root))
                .singleElement()
                .satisfies(archive -> assertThat(archive).isNotEmptyFile());
        assertThat(tao(root, "list")).isEmpty();

        Files.writeString(archives(root).get(0), "damaged", java.nio.file.StandardOpenOption.TRUNCATE_EXISTING);
        assertThat(tao(root, "--version")).startsWith("tao-run ").hasLineCount(1);
    }
}

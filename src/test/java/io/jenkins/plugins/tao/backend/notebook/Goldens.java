package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts that are sent or written, kept whole; {@code -Dgolden=write} writes them anew. */
final class Goldens {
    private static final Path RESOURCES = Path.of("src/test/resources/io/jenkins/plugins/tao/backend/notebook");

    private Goldens() {}

    static void assertGolden(String name, String actual) throws IOException {
        Path file = RESOURCES.resolve(name);
        if ("write".equals(System.getProperty("golden"))) {
            Files.writeString(file, actual);
        }
        assertThat(actual).isEqualTo(Files.readString(file));
    }
}

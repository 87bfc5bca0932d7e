package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts beside the tests: replies seen on real clusters, and golden texts of what we send. */
public final class Captured {
    private static final Path RESOURCES = Path.of("src/test/resources/io/jenkins/plugins/tao/backend/slurm");

    private Captured() {}

    /** A captured reply without its first line, which tells where it is from. */
    public static String reply(String name) throws IOException {
        String text = Files.readString(RESOURCES.resolve(name));
        assertThat(text).startsWith("# ");
        return text.substring(text.indexOf('\n') + 1);
    }

    /** Compares with the golden text, or writes it with {@code -Dgolden=write}. */
    public static void assertGolden(String name, String actual) throws IOException {
        Path file = RESOURCES.resolve(name);
        if ("write".equals(System.getProperty("golden"))) {
            Files.writeString(file, actual);
        }
        assertThat(actual).isEqualTo(Files.readString(file));
    }
}

package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts beside the tests: replies seen on real clusters. */
public final class Captured {
    private static final Path RESOURCES = Path.of("src/test/resources/io/jenkins/plugins/tao/backend/slurm");

    private Captured() {}

    /** A captured reply without its first line, which tells where it is from. */
    public static String reply(String name) throws IOException {
        String text = Files.readString(RESOURCES.resolve(name));
        assertThat(text).startsWith("# ");
        return text.substring(text.indexOf('\n') + 1);
    }
}

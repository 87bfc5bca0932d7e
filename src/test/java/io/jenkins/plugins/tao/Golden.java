package io.jenkins.plugins.tao;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts that are sent, written or read, kept whole in files beside the tests. */
public final class Golden {
    private static final Path RESOURCES = Path.of("src/test/resources/io/jenkins/plugins/tao");
    private static final String COMMAND = "./mvnw test -Dgolden=write";

    private Golden() {}

    /** Compares with the text in the file {@code name}, such as {@code cli/run.txt}, or writes it with {@code -Dgolden=write}. */
    public static void check(String name, String actual) throws IOException {
        Path file = RESOURCES.resolve(name);
        if ("write".equals(System.getProperty("golden"))) {
            Files.writeString(file, actual);
        }
        assertThat(actual)
                .as("%s; where the change is meant, run %s and commit it", file, COMMAND)
                .isEqualTo(Files.readString(file));
    }
}

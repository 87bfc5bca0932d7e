package io.jenkins.plugins.tao;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests see a home and variables of the build: what the machine's user has set up changes no result. */
class IsolationTest {
    private static final Path HOME = Path.of("target/home").toAbsolutePath();

    @Test
    void theHomeAndTheVariablesOfThisMachineDoNotReachTheTests() {
        assumeTrue(System.getProperty("basedir") != null, "Maven did not start this test");

        assertThat(System.getenv("HOME")).isEqualTo(HOME.toString());
        assertThat(System.getProperty("user.home")).isEqualTo(HOME.toString());
        // the last four are of the shell that starts the JVM
        assertThat(System.getenv().keySet())
                .allMatch(name -> name.matches("HOME|LC_ALL|PATH|JAVA_HOME|(LAB_|BOX|S3_).*|(OLD)?PWD|SHLVL|_"));
    }
}

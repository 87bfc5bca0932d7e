package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import hudson.model.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jenkinsci.plugins.workflow.job.WorkflowRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvnet.hudson.test.JenkinsRule;
import org.jvnet.hudson.test.junit.jupiter.WithJenkins;

@WithJenkins
class SecretsTest {
    private static final String VALUE = "nvapi-Hush_4711'quoted$HOME";

    @TempDir
    private Path directory;

    @Test
    void aSecretReachesTheJobAndNoFileOfJenkinsOrOfTheTarget(JenkinsRule jenkins) throws Exception {
        Lab lab = Lab.withTarget(jenkins, directory);
        lab.secret("ngc-api-key", VALUE);

        WorkflowRun build = lab.run(
                """
                taoWait taoSubmit(target: 'local', secrets: [NGC_KEY: 'ngc-api-key'],
                    command: 'echo "the key has ${#NGC_KEY} letters, sum $(printf %s "$NGC_KEY" | cksum)"')
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("the key has " + VALUE.length() + " letters").doesNotContain(VALUE);
        assertThat(filesWith(jenkins.jenkins.getRootDir().toPath())).isEmpty();
        assertThat(filesWith(directory)).isEmpty();
    }

    @Test
    void aSecretThatTheJobPrintsIsMaskedInTheBuildsLog(JenkinsRule jenkins) throws Exception {
        Lab lab = Lab.withTarget(jenkins, directory);
        lab.secret("ngc-api-key", VALUE);

        WorkflowRun build = lab.run(
                """
                taoWait taoSubmit(target: 'local', secrets: [NGC_KEY: 'ngc-api-key'], command: 'echo "key=$NGC_KEY."')
                """,
                Result.SUCCESS);

        assertThat(JenkinsRule.getLog(build)).contains("key=****.").doesNotContain(VALUE);
        assertThat(filesWith(jenkins.jenkins.getRootDir().toPath())).isEmpty();
    }

    private static List<Path> filesWith(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).filter(SecretsTest::holdsTheValue).toList();
        }
    }

    private static boolean holdsTheValue(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(VALUE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

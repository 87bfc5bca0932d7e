package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsJenkins;
import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** taoBisect in a real Pipeline, over jobs that are processes of this machine. */
@NeedsJenkins
class BisectIT {
    /** Commits b to f, of which d is the first that spoils the metric; each run waits until it is let go on. */
    private static final String SEARCH = """
            def found = taoBisect(commits: ['b', 'c', 'd', 'e', 'f'], budget: 6) {
                def value = env.TAO_COMMIT >= 'd' ? '0.1' : '0.4'
                def run = taoRun(target: 'local', interval: '1s', command: 'while [ ! -e GO ]; do sleep 1; done; echo \\'{"epoch": 1, "kpi": {"val_mAP": '
                        + value + '}, "status": "SUCCESS", "verbosity": "INFO"}\\' > {results_dir}/status.json')
                taoGate(kpi: 'val_mAP', atLeast: 0.3, job: run)
            }
            echo "found ${found.first} by ${found.answers}"
            """;

    @TempDir
    private Path home;

    @TempDir
    private Path base;

    private JenkinsProcess process;
    private JenkinsClient jenkins;

    @BeforeEach
    void start() throws IOException {
        process = JenkinsProcess.in(home);
        jenkins = process.start();
        jenkins.target(base.resolve("jobs"));
    }

    @AfterEach
    void stop() {
        process.close();
    }

    @Test
    @Promise("NV-21")
    void theFirstBadCommitIsFoundThoughJenkinsIsRestartedWithinTheSearch() throws IOException {
        Path go = base.resolve("go");
        Build build = jenkins.start("bisect", SEARCH.replace("GO", go.toString()));
        build.says("judging c (1 of at most 6)");
        build.says("RUNNING");

        process.stop();
        Files.createFile(go);
        build = build.in(process.start());

        build.ends("SUCCESS");
        assertThat(build.log())
                .containsOnlyOnce("judging c (1 of at most 6)")
                .contains("c is good", "d is bad: val_mAP 0.1")
                .contains("found d by [");
    }
}

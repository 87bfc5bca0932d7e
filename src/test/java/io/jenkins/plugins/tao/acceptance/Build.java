package io.jenkins.plugins.tao.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The first build of a job, read from the files in which Jenkins keeps it. */
final class Build {
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private final JenkinsClient jenkins;
    private final String job;

    Build(JenkinsClient jenkins, String job) {
        this.jenkins = jenkins;
        this.job = job;
    }

    /** The same build in the Jenkins that took the place of the one that started it. */
    Build in(JenkinsClient next) {
        return new Build(next, job);
    }

    Path folder() {
        return jenkins.home().resolve("jobs").resolve(job).resolve("builds").resolve("1");
    }

    String log() throws IOException {
        Path log = folder().resolve("log");
        return Files.exists(log) ? Files.readString(log) : "";
    }

    /** Waits until its log has {@code words}. */
    void says(String words) {
        await("for '" + words + "' in the log of " + job).atMost(PATIENCE).until(() -> log().contains(words));
    }

    void abort() throws IOException {
        jenkins.post("job/" + job + "/1/stop", "text/plain", "");
    }

    /** Waits for its end, which must be {@code result}. */
    void ends(String result) throws IOException {
        await("for the end of " + job)
                .atMost(PATIENCE)
                .until(() -> state().contains("\"inProgress\":false") && !state().contains("\"result\":null"));
        assertThat(state()).as(log()).contains("\"result\":\"" + result + "\"");
    }

    /** What its page of TAO jobs tells programs. */
    String page() throws IOException {
        return jenkins.get("job/" + job + "/1/tao/api/json");
    }

    /** The files that it archived. */
    String artifacts() throws IOException {
        return jenkins.get("job/" + job + "/1/api/json?tree=artifacts%5BrelativePath%5D");
    }

    /** Empty while it waits to start. */
    private String state() throws IOException {
        return jenkins.find("job/" + job + "/1/api/json?tree=inProgress,result");
    }
}

package io.jenkins.plugins.tao.backend.box;

import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import io.jenkins.plugins.tao.job.JobKey;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Jobs as a submission leaves them, whose wrapper a test starts itself. */
public record StagedJobs(Path temporary, LocalTarget target) {
    /** A job as a submission leaves it, its gate open. */
    public Path staged(String name, JobSpec spec) throws Exception {
        JobKey key = new JobKey(name);
        BoxFiles files = BoxFiles.render(BoxPlace.of(target), spec, key);
        Path job = temporary.resolve("tao/jobs/" + key);
        Files.createDirectories(job.resolve("attempt-1/gate"));
        Files.createDirectories(Path.of(files.resultsDirectory()));
        Files.writeString(job.resolve("attempt-1/gate/open"), "");
        for (Map.Entry<String, String> file : files.job().entrySet()) {
            Files.writeString(job.resolve(file.getKey()), file.getValue());
        }
        return job;
    }

    public void run(String shell, Path job, String input) throws Exception {
        new LocalHost()
                .run(
                        "printf %s '" + input + "' | TAO_RUN=" + job + "/attempt-1/ setsid -w " + shell + " " + job
                                + "/wrapper.sh " + job + "/attempt-1",
                        Duration.ofMinutes(5));
    }
}

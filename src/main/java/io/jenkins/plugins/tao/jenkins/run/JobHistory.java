package io.jenkins.plugins.tao.jenkins.run;

import hudson.model.Job;
import io.jenkins.plugins.tao.history.Baselines;
import io.jenkins.plugins.tao.history.RunHistory;
import io.jenkins.plugins.tao.history.Verdicts;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the records of a Jenkins job lie: in its own directory, so that they outlive its builds and go along when it is renamed. */
public final class JobHistory {
    private JobHistory() {}

    /** The records of all its builds. */
    public static RunHistory of(Job<?, ?> job) {
        return new RunHistory(folder(job));
    }

    /** What was blessed of it. */
    public static Baselines baselines(Job<?, ?> job) {
        return Baselines.in(folder(job));
    }

    /** What gates said of its builds. */
    public static Verdicts verdicts(Job<?, ?> job) {
        return new Verdicts(folder(job));
    }

    /** Whether a record of one of its builds was kept. */
    public static boolean isThere(Job<?, ?> job) {
        return Files.isRegularFile(folder(job).resolve(RunHistory.FILE));
    }

    private static Path folder(Job<?, ?> job) {
        return job.getRootDir().toPath().resolve("tao");
    }
}

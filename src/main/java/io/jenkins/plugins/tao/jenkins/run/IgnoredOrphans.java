package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.job.JobKey;
import java.nio.file.Files;
import java.nio.file.Path;
import jenkins.model.Jenkins;

/** The orphans that an administrator wants to hear no more of: an empty file each, which survives a crash. */
record IgnoredOrphans(Path directory) {
    static IgnoredOrphans get() {
        return new IgnoredOrphans(
                Jenkins.get().getRootDir().toPath().resolve("tao").resolve("ignored"));
    }

    boolean has(JobKey job) {
        return Files.exists(file(job));
    }

    void set(JobKey job, boolean on) {
        if (on) {
            new SmallFile(file(job)).write("");
        } else {
            new SmallFile(file(job)).delete();
        }
    }

    private Path file(JobKey job) {
        return directory.resolve(job.value());
    }
}

package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.LiveJobs;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.backend.box.options.LocalTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list of jobs from a directory that is away. */
class LiveJobsGapTest {
    @TempDir
    Path temporary;

    @Test
    @Promise("JK-08")
    void aBaseThatIsNotThereIsUnknownAndNotWithoutJobs() throws Exception {
        Path base = temporary.resolve("tao");
        LiveJobs jobs = (LiveJobs) new LocalType().open(new LocalTarget("here", base.toString(), BoxUsual.SETTINGS));

        assertThat(jobs.live().gaps())
                .containsExactly("The directory " + base
                        + " cannot be read, so no job below it is known. A first job makes it.");

        Files.createDirectories(base);
        assertThat(jobs.live().gaps()).isEmpty();
    }
}

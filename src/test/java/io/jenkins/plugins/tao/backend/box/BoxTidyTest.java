package io.jenkins.plugins.tao.backend.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Tidying.Tidied;
import io.jenkins.plugins.tao.backend.box.options.BoxUsual;
import io.jenkins.plugins.tao.remote.host.LocalHost;
import io.jenkins.plugins.tao.remote.host.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Code on a machine without a scheduler, when its time is over. */
class BoxTidyTest {
    private static final String ID = "0123456789abcdef0123456789abcdef01234567";

    @TempDir
    Path base;

    private Path oldCode() throws IOException {
        Path code = Files.createDirectories(base.resolve("code/" + ID));
        Files.setLastModifiedTime(code, FileTime.from(Instant.EPOCH));
        return code;
    }

    private Tidied tidy(boolean dryRun) throws BackendException {
        BoxPlace place = new BoxPlace("local", "here", base.toString(), BoxUsual.SETTINGS, Optional.empty());
        return BoxTidy.parse(
                place, new LocalHost().run(BoxTidy.render(base.toString(), dryRun), Duration.ofMinutes(1)));
    }

    private void startJob(Path code) throws IOException {
        Files.createDirectories(base.resolve("jobs/job-1/attempt-1"));
        Files.writeString(base.resolve("jobs/job-1/work"), code + "\n");
    }

    @Test
    @Promise("NS-04")
    void codeOfAJobThatHasNotEndedStaysAndGoesOnceItHas() throws Exception {
        Path code = oldCode();
        startJob(code);

        assertThat(tidy(false).jobs()).isEmpty();
        Files.writeString(base.resolve("jobs/job-1/attempt-1/exit"), "0 1 2\n");

        assertThat(tidy(true).jobs()).containsExactly("code " + ID);
        assertThat(code).isDirectory();
        assertThat(tidy(false).jobs()).containsExactly("code " + ID);
        assertThat(code).doesNotExist();
    }

    @Test
    void pushedTreesAndFreshCodeStay() throws Exception {
        Path pushed = Files.createDirectories(base.resolve("code/net.gone"));
        Files.setLastModifiedTime(pushed, FileTime.from(Instant.EPOCH));
        Path fresh = Files.createDirectories(base.resolve("code/" + ID));

        assertThat(tidy(false).jobs()).isEmpty();
        assertThat(pushed).isDirectory();
        assertThat(fresh).isDirectory();
    }

    @Test
    void anAnswerWithoutItsEndIsNotTaken() {
        BoxPlace place = new BoxPlace("local", "here", base.toString(), BoxUsual.SETTINGS, Optional.empty());

        assertThatThrownBy(() -> BoxTidy.parse(place, new Reply(0, new byte[0], "")))
                .isInstanceOf(BackendException.Unreadable.class);
    }
}

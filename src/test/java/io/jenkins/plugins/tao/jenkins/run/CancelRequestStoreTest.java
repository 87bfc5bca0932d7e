package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CancelRequestStoreTest {
    @TempDir
    Path home;

    private CancelRequest request(String id, int attempt) {
        JobHandle job = new JobHandle(
                "dgx", "slurm", new JobKey(id), attempt, "47" + attempt, "/l/" + id, "/l/r", Instant.ofEpochSecond(9));
        return new CancelRequest(job, "folder/train#7", "Aborted by anna\nat night");
    }

    private CancelRequestStore store() {
        return new CancelRequestStore(home.resolve("tao-run"));
    }

    @Test
    void aRequestIsThereForTheNextProcessUntilItIsSettled() {
        assertThat(store().all()).isEmpty();
        store().keep(request("job-1", 1));
        store().keep(request("job-2", 1));
        store().keep(request("job-1", 2));

        assertThat(store().all()).extracting(CancelRequest::id).containsExactly("job-1", "job-2");
        assertThat(store().all().get(0).job()).isEqualTo(request("job-1", 2).job());
        assertThat(store().all().get(0).build()).isEqualTo("folder/train#7");
        assertThat(store().all().get(0).by()).isEqualTo("Aborted by anna");

        store().drop("job-1");
        store().drop("job-1");
        assertThat(store().all()).extracting(CancelRequest::id).containsExactly("job-2");
    }

    @Test
    void aDamagedRequestHidesNoOther() throws IOException {
        store().keep(request("job-2", 1));
        Files.writeString(home.resolve("tao-run/job-1.wish"), "tao1:half");
        Files.writeString(home.resolve("tao-run/job-3.wish"), "");
        Files.write(home.resolve("tao-run/job-0.wish"), new byte[] {(byte) 0xff, (byte) 0xfe});
        Files.createDirectory(home.resolve("tao-run/job-4.wish"));

        assertThat(store().all()).extracting(CancelRequest::id).containsExactly("job-2");
        assertThat(home.resolve("tao-run/job-1.wish")).exists();
    }
}

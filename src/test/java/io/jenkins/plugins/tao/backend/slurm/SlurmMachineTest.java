package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Position;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.backend.StreamRef;
import io.jenkins.plugins.tao.backend.slurm.poll.SlurmFiles;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.remote.PlayedGpus;
import java.nio.file.Files;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the first node of a Slurm job tells of its GPUs: the real batch script, Slurm and nvidia-smi are played. */
class SlurmMachineTest extends WrapperStage {
    private JobSpec onGpus(String command) {
        return JobSpec.of(command).resources(Sample.machines(1, 1)).build();
    }

    private void withGpus() throws Exception {
        new PlayedGpus(directory).with(PlayedGpus.TWO); // beside the commands of Slurm
    }

    private String untilTold() {
        return "while ! grep -q cuda '" + logs("gpu") + "'; do sleep 0.1; done";
    }

    @Test
    @Promise({"NV-01", "NS-24"})
    void theGpusThatSlurmGaveAreToldBesideTheLogsOfTheJob() throws Exception {
        withGpus();
        env.put("CUDA_VISIBLE_DEVICES", "1");

        assertThat(run(onGpus(untilTold() + "; exit 3"))).isEqualTo(3);

        assertThat(note().ownCode(Optional.empty())).hasValue(3);
        assertThat(Files.readString(logs("gpu")))
                .contains("gpu 1, NVIDIA H100 80GB HBM3, 535.104.05, 81559\n", "cuda 12.2\n")
                .doesNotContain("gpu 0");
        assertThat(Files.readString(logs("err"))).isEmpty();
    }

    @Test
    void whatTheNodeTellsIsReadFromThatFile() {
        var job = Sample.handle(Sample.KEY.value(), "77");

        assertThat(SlurmFiles.request(new StreamRef(job, Stream.MACHINE), Position.START)
                        .toString())
                .contains(job.key() + "-77.gpu");
    }

    @Test
    void aNodeThatTellsNothingChangesNothing() throws Exception {
        new PlayedGpus(directory)
                .says(
                        "[ \"$1\" != -L ] || { echo 'GPU 0: of the check alone'; exit; }; echo 'No devices were found'; exit 6\n");

        assertThat(run(onGpus("echo ran"))).isZero();

        assertThat(Files.readString(logs("out"))).isEqualTo("ran\n");
        assertThat(logs("gpu")).isEmptyFile();
    }

    @Test
    void aJobWithoutGpusHasNoneWatched() throws Exception {
        withGpus();

        assertThat(run(job("true").build())).isZero();

        assertThat(logs("gpu")).doesNotExist();
    }
}

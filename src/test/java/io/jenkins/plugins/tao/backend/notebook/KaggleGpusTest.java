package io.jenkins.plugins.tao.backend.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.Stream;
import io.jenkins.plugins.tao.job.Ending;
import io.jenkins.plugins.tao.job.GpuUse;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.status.MachineReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a notebook tells of its GPUs, in sessions that run for real with a played nvidia-smi. */
class KaggleGpusTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    private KaggleRig rig;

    @BeforeEach
    void open() throws Exception {
        rig = new KaggleRig(temporary.resolve("kaggle"));
        rig.kaggle.edit = text -> text.replace("\\\"gpuSeconds\\\" : 30", "\\\"gpuSeconds\\\" : 1");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static JobSpec.Builder on(int gpus, String command) {
        return JobSpec.of(command)
                .resources(new Resources(1, OptionalInt.of(gpus), OptionalInt.empty(), Optional.empty()));
    }

    private String untilGo() {
        return "while [ ! -e '" + temporary.resolve("go") + "' ]; do sleep 0.1; done";
    }

    private MachineReader.Told told(JobHandle job) throws Exception {
        return new MachineReader().take(rig.read(job, Stream.MACHINE).lines().toList());
    }

    @Test
    @Promise({"NV-01", "NV-28", "NS-24"})
    void theKindOfGpuAndItsUseAreToldWhileTheNotebookRunsAndAreNoWordOfTheCommand() throws Exception {
        JobHandle job =
                rig.submit(on(2, "echo begun; " + untilGo() + "; exit 3").build());

        await().until(() -> told(job).samples().size() >= 2);
        Files.createFile(temporary.resolve("go"));

        assertThat(rig.end(job).exitCode()).hasValue(3);
        assertThat(told(job).facts())
                .containsEntry("gpuType", "Tesla T4")
                .containsEntry("driver", "560.35.03")
                .containsEntry("cuda", "12.6");
        assertThat(told(job).samples())
                .allSatisfy(sample ->
                        assertThat(sample.gpus()).extracting(GpuUse.Gpu::number).containsExactly(0, 1));
        assertThat(rig.read(job, Stream.OUT)).isEqualTo("begun\n");
        assertThat(rig.read(job, Stream.ERR)).doesNotContain("machine", "use 1");
    }

    @Test
    void whatAsksForTheGpusHasNoSecretsAndADriverThatHangsKeepsNoCommand() throws Exception {
        Path secrets = Files.createDirectories(temporary.resolve("secrets"));
        Files.writeString(secrets.resolve("HF_TOKEN"), "hf_of_the_job");
        rig.kaggle.datasets.put("dev/private", secrets);
        Path seen = temporary.resolve("seen");
        Path asks = rig.kaggle.root.resolve("bin/nvidia-smi");
        Files.writeString(
                asks,
                Files.readString(asks)
                        .replace(
                                "--query-gpu=index,uuid,name,*)",
                                "--query-gpu=index,uuid,name,*) env > '" + seen + "'; exec sleep 7777 ;; never)"));
        JobHandle job = rig.submit(
                on(2, "[ \"$HF_TOKEN\" = hf_of_the_job ] && while [ ! -s '" + seen + "' ]; do sleep 0.1; done")
                        .options(Records.of(KaggleOptions.class, "secretsDataset", "dev/private"))
                        .build());

        assertThat(rig.end(job).ending()).hasValue(Ending.COMPLETED);
        assertThat(Files.readString(seen)).contains("PATH=").doesNotContain("hf_of_the_job");
    }

    @Test
    void aNotebookWithoutGpusTellsNothing() throws Exception {
        JobHandle job = rig.submit(on(0, "echo plain").build());

        assertThat(rig.end(job).ending()).hasValue(Ending.COMPLETED);
        assertThat(rig.read(job, Stream.MACHINE)).isEmpty();
        assertThat(rig.kaggle.pushes.get(0).path("text").asText()).doesNotContain("tao_frame");
    }
}

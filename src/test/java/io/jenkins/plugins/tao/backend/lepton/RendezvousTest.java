package io.jenkins.plugins.tao.backend.lepton;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Records;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonMount;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonOptions;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonTarget;
import io.jenkins.plugins.tao.backend.lepton.request.LeptonPlan;
import io.jenkins.plugins.tao.job.JobSpec;
import io.jenkins.plugins.tao.job.Resources;
import io.jenkins.plugins.tao.job.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each worker is told, and what it makes of it, under real shells. */
class RendezvousTest {
    private static final String PRINT = "printf '%s|%s|%s|%s|%s' \"$MASTER_ADDR\" \"$MASTER_PORT\" \"$NNODES\""
            + " \"$NODE_RANK\" \"$WORKER_ADDRS\"";

    @TempDir
    Path directory;

    private String script(String command) throws Exception {
        JobSpec spec = JobSpec.of(command)
                .image("i")
                .resources(new Resources(2, OptionalInt.of(8), OptionalInt.empty(), Optional.empty()))
                .build();
        LeptonTarget target =
                Records.of(LeptonTarget.class, "name", "lep", "workspace", "vision", "token", Secret.of("t"));
        LeptonMount mount = LeptonMount.parse("v=" + directory);
        LeptonPlan.Place place = new LeptonPlan.Place(Optional.empty(), "s", List.of(mount), List.of());
        return new LeptonPlan(target, spec, LeptonWorkspace.key("meet"), Records.of(LeptonOptions.class), place)
                .payload()
                .script();
    }

    private static List<String> shell(String name) {
        return name.equals("busybox") ? List.of("busybox", "sh") : List.of(name);
    }

    private Process run(String shell, String script, Map<String, String> told) throws IOException {
        List<String> words = new ArrayList<>(shell(shell));
        words.addAll(List.of("-c", script));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
        builder.environment().putAll(told);
        return builder.start();
    }

    private static Map<String, String> told(int worker, int count) {
        return Map.of(
                "LEPTON_JOB_WORKER_INDEX",
                Integer.toString(worker),
                "LEPTON_JOB_TOTAL_WORKERS",
                Integer.toString(count),
                "LEPTON_JOB_WORKER_PREFIX",
                "worker",
                "LEPTON_SUBDOMAIN",
                "job-1-job-svc");
    }

    @ParameterizedTest
    @CsvSource({
        "dash, 1",
        "dash, 2",
        "dash, 4",
        "bash, 1",
        "bash, 2",
        "bash, 4",
        "busybox, 1",
        "busybox, 2",
        "busybox, 4"
    })
    @Promise("LE-22")
    void rankAddressAndPortComeFromWhatLeptonTells(String shell, int count) throws Exception {
        String others = IntStream.range(1, count)
                .mapToObj(i -> "worker-" + i + ".job-1-job-svc")
                .collect(Collectors.joining(","));
        for (int worker = 0; worker < count; worker++) {
            Process process = run(shell, script(PRINT), told(worker, count));

            String out = new String(process.getInputStream().readAllBytes(), UTF_8);

            assertThat(out).startsWith("worker-0.job-1-job-svc|29400|" + count + "|" + worker + "|" + others);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash", "busybox"})
    void anOlderClusterTellsTheNamesOtherwise(String shell) throws Exception {
        Map<String, String> old =
                Map.of("LEPTON_JOB_WORKER_INDEX", "1", "LEPTON_JOB_TOTAL_WORKERS", "2", "LEPTON_JOB_NAME", "job-1");

        Process process = run(shell, script(PRINT), old);

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .startsWith("job-1-0.job-1-job-svc|29400|2|1|job-1-1.job-1-job-svc");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash", "busybox"})
    void theExitCodeOfTheCommandIsTheWorkers(String shell) throws Exception {
        Process process = run(shell, script("exit 7"), told(0, 2));

        process.getInputStream().readAllBytes();

        assertThat(process.waitFor()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash", "busybox"})
    @Promise("LE-23")
    void aTaoCommandAndPlainTorchrunBothFindTheirPlace(String shell) throws Exception {
        Path bin = Files.createDirectory(directory.resolve("bin"));
        for (String tool : List.of("dino", "torchrun")) {
            Files.writeString(
                    bin.resolve(tool),
                    "#!/bin/sh\necho \"" + tool + " $NODE_RANK/$WORLD_SIZE x $NUM_GPU_PER_NODE $*\"\n");
            assertThat(bin.resolve(tool).toFile().setExecutable(true)).isTrue();
        }
        Map<String, String> told = new HashMap<>(told(1, 2));
        told.put("WORLD_SIZE", "2");
        told.put("NUM_GPU_PER_NODE", "8");
        String command =
                "PATH=" + bin + ":$PATH; dino train; torchrun --nnodes=$NNODES --nproc-per-node=$NUM_GPU_PER_NODE"
                        + " --node-rank=$NODE_RANK --master-addr=$MASTER_ADDR --master-port=$MASTER_PORT train.py";

        Process process = run(shell, script(command), told);

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .startsWith("dino 1/2 x 8 train\ntorchrun 1/2 x 8 --nnodes=2 --nproc-per-node=8 --node-rank=1"
                        + " --master-addr=worker-0.job-1-job-svc --master-port=29400 train.py\n");
    }
}

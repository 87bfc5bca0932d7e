package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.backend.slurm.reply.ExitRecord;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmPlan;
import io.jenkins.plugins.tao.backend.slurm.submit.SlurmScript;
import io.jenkins.plugins.tao.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A generated script under a real bash, with Slurm's commands played by scripts. */
abstract class WrapperStage {
    static final String RECORD = "exit/dino-train-0a1b2c-77";
    static final String SECRETS = "secrets/dino-train-0a1b2c.1.env";

    @TempDir
    Path directory;

    FakeSlurm slurm;
    final Map<String, String> env = new HashMap<>(Map.of(
            "SLURM_JOB_ID", "77",
            "SLURM_JOB_NAME", "tao-job-dino-train-0a1b2c",
            "SLURM_JOB_NODELIST", "gpu01",
            "SLURM_CPUS_PER_TASK", "2"));

    @BeforeEach
    void cluster() throws IOException {
        slurm = new FakeSlurm(directory);
        Files.createFile(logs("out"));
        Files.createFile(logs("err"));
    }

    Path logs(String suffix) {
        return slurm.base.resolve("slurm-logs/tao-job-dino-train-0a1b2c-77." + suffix);
    }

    Process start(JobSpec spec) throws Exception {
        Path script = Files.writeString(
                slurm.base.resolve("sbatch/job"),
                inHaste(withTimeForLogs(SlurmScript.render(SlurmPlan.of(slurm.target(), spec, Sample.KEY)))));
        return slurm.start("/bin/bash", script, env, logs("out"), logs("err"));
    }

    /** A rank waits five seconds for the last of its lines at most; here it waits until they are there. */
    private static String withTimeForLogs(String script) {
        return script.replace("tao_await 50 ", "tao_await 3000 ");
    }

    /** The same script with shorter pauses, for a test that waits for several. */
    String inHaste(String script) {
        return script;
    }

    int run(JobSpec spec) throws Exception {
        Process process = start(spec);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    static JobSpec.Builder job(String command) {
        return JobSpec.of(command).resources(Sample.machines(1, 0));
    }

    /** Shell text that waits until {@link #go}. */
    String untilGo() {
        return "while [ ! -e '" + slurm.base.resolve("go") + "' ]; do sleep 0.1; done";
    }

    /** The same, until scancel sends TERM: the played one reaches no process. */
    String untilScancel() throws IOException {
        slurm.command("scancel", "[ \"$1\" != --signal=TERM ] || : > '" + slurm.base.resolve("go") + "'");
        return untilGo();
    }

    void go() throws IOException {
        Files.createFile(slurm.base.resolve("go"));
    }

    ExitRecord note() throws IOException {
        return ExitRecord.parse(Files.readString(slurm.base.resolve(RECORD)));
    }
}

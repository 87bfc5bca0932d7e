package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.cli.input.EnvironmentTargets;
import io.jenkins.plugins.tao.cli.terminal.Interrupts;
import io.jenkins.plugins.tao.cli.terminal.Surroundings;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.monitor.HastyTicker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the documentation, with the backends as they are shipped. */
class ExamplesTest {
    private static final String EXAMPLES =
            Path.of("docs/examples").toAbsolutePath().toString();

    @TempDir
    Path directory;

    private final Map<String, String> env = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int tao(String... arguments) {
        out.reset();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Surroundings here = new Surroundings(
                env,
                directory,
                directory,
                new Surroundings.Terminal(false, new ByteArrayInputStream(new byte[0]), print, print),
                Clock.systemUTC(),
                BackendTypes.load(),
                HastyTicker::new);
        return Program.execute(here, new Interrupts(() -> {}), arguments);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theExampleOfCodeByItsCommitFetchesAndResumesBeforeTheCommand() {
        int code =
                tao("preview", "--targets", EXAMPLES + "/kubernetes-targets.yaml", EXAMPLES + "/kubernetes-code.yaml");

        assertThat(text())
                .contains("tao_git_commit=4f1c8e02b7a95d3c6e10f28b94a7d5c3e6f01b29")
                .containsSubsequence("tao_ck_last=2", "tao_ck_metric=val_mAP50", "dino train -e ");
        assertThat(code).isZero();
    }

    @Test
    void helloRunsToItsEndAndLeavesItsModel() {
        int code = tao("run", EXAMPLES + "/hello.yaml", "--id", "hello", "--interval", "1s");

        assertThat(text()).contains("epoch 5/5, train_loss 0.3000", "[tao] hello succeeded, exit code 0");
        assertThat(code).isEqualTo(0);
        assertThat(directory.resolve("tao-artifacts/hello/results/train/model.pth"))
                .content()
                .isEqualTo("weights after 5 epochs\n");
        assertThat(Files.exists(directory.resolve("tao-artifacts/hello/results/train/status.json")))
                .isTrue();
    }

    @Test
    void theSlurmExampleIsShownExactly() {
        int code = tao("preview", "--targets", EXAMPLES + "/targets.yaml", EXAMPLES + "/slurm-train.yaml");

        assertThat(code).isEqualTo(0);
        assertThat(text()).contains("#SBATCH --partition=polar\n", "#SBATCH --account=vision\n", "#SBATCH --nodes=2\n");
    }

    @Test
    void theArrayExampleIsShownExactly() {
        int code = tao("preview", "--targets", EXAMPLES + "/targets.yaml", EXAMPLES + "/slurm-array.yaml");

        assertThat(code).isEqualTo(0);
        assertThat(text()).contains("#SBATCH --array=0-7%4\n", "train-{array_task}.json", "/slurm-logs/%x-%A_%a.out\n");
    }

    @Test
    @Promise("NS-27")
    void theExampleByRestNeedsNoTokenToBeShown() {
        int code = tao("preview", "--targets", EXAMPLES + "/targets.yaml", EXAMPLES + "/slurm-rest.yaml");

        assertThat(text()).contains("#SBATCH --partition=polar\n", "#SBATCH --gres=gpu:2\n");
        assertThat(code).isEqualTo(0);
    }

    @Test
    @Promise({"SL-19", "SL-20", "SL-21", "SL-22", "SL-23", "SL-47"})
    void theEnvironmentDescribesTheTargetSlurm() {
        env.putAll(Map.of("SLURM_USER", "tao", "SLURM_HOSTNAME", "a, b,,c", "SSH_KEY_PATH", "/k"));
        assertThat(tao("preview", "-t", "slurm", EXAMPLES + "/hello.yaml")).isEqualTo(0);
        assertThat(text())
                .contains("#SBATCH --partition=polar,polar3,polar4,grizzly\n", "#SBATCH --time=04:00:00\n")
                .contains("tao_timeout=13680\n", "tao_base=/lustre/fsw/portfolios/edgeai/users/tao\n")
                .doesNotContain("--account");

        env.putAll(Map.of(
                "SLURM_PARTITION",
                "x, y",
                "SLURM_ACCOUNT",
                "acc",
                "SLURM_TIME_HOURS",
                "2",
                "SLURM_TIMEOUT_HOURS",
                "1.5"));
        env.put("SLURM_BASE_RESULTS_DIR", "/lustre/mine");
        assertThat(tao("preview", "-t", "slurm", EXAMPLES + "/hello.yaml")).isEqualTo(0);
        assertThat(text())
                .contains("#SBATCH --partition=x,y\n", "#SBATCH --account=acc\n", "#SBATCH --time=02:00:00\n")
                .contains("tao_timeout=5400\n", "tao_base=/lustre/mine\n");
    }

    @Test
    @Promise("SL-18")
    void anAgentComesSecondAndAKeyIsAskedForFirst() {
        env.putAll(Map.of("SLURM_USER", "tao", "SLURM_HOSTNAME", "a"));
        assertThat(tao("preview", "-t", "slurm", EXAMPLES + "/hello.yaml")).isEqualTo(2);
        assertThat(text()).contains("MISSING: SSH_KEY_PATH", "SSH_AUTH_SOCK is used where there is no key");

        env.put("SSH_AUTH_SOCK", "/run/agent");
        assertThat(tao("preview", "-t", "slurm", EXAMPLES + "/hello.yaml")).isEqualTo(0);
    }

    @Test
    @Promise("SL-20")
    void theListOfLoginHostsIsTrimmed() throws UsageException {
        env.putAll(Map.of("SLURM_USER", "tao", "SLURM_HOSTNAME", "a, b,,c", "SSH_KEY_PATH", "/k"));
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Surroundings here = new Surroundings(
                env,
                directory,
                directory,
                new Surroundings.Terminal(false, new ByteArrayInputStream(new byte[0]), print, print),
                Clock.systemUTC(),
                BackendTypes.load(),
                HastyTicker::new);

        assertThat(new EnvironmentTargets(here)
                        .place("slurm", here.types().named("slurm"))
                        .target()
                        .toString())
                .contains("hosts=[a:22, b:22, c:22]");
    }

    @Test
    @Promise("SL-19")
    void withoutAUserNothingIsShown() {
        env.put("SLURM_HOSTNAME", "a");

        assertThat(tao("preview", "-t", "slurm", EXAMPLES + "/hello.yaml")).isEqualTo(2);
        assertThat(text()).contains("MISSING: SLURM_USER");
    }
}

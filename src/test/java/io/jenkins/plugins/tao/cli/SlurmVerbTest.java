package io.jenkins.plugins.tao.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.backend.slurm.PlayedSlurm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The command line with the real Slurm backend, on an account that prints a line on every command. */
final class SlurmVerbTest {
    private static final String NOISE = "REMINDER: terminate what you rent, it is billed by the hour";

    @Test
    @Promise("SG-08")
    void aClusterThatCostsNothingWhenIdleIsNeverToBeTornDownAndItsChatterIsNotOurs() throws Exception {
        Path directory =
                nowhereBelowTmp(Files.createTempDirectory(Path.of("target").toAbsolutePath(), "played"));
        PlayedSlurm slurm = PlayedSlurm.atOnce(directory.resolve("cluster"), NOISE);
        Bench bench = new Bench(directory, BackendTypes.of(slurm));
        bench.write("key", "x");
        bench.write("known_hosts", "");
        bench.write(
                "tao-targets.yaml",
                "targets: {dgx: {backend: slurm, hosts: [login1], user: ada, key: " + directory + "/key, knownHosts: "
                        + directory + "/known_hosts, baseDirectory: " + slurm.base() + "}}");
        bench.write("good.yaml", "target: dgx\ncommand: echo hello\ngpus: 0\n");
        bench.write("bad.yaml", "target: dgx\ncommand: echo alas >&2; exit 3\ngpus: 0\n");

        int good = bench.tao("run", "good.yaml", "--id", "good", "--interval", "1s");
        String told = bench.out() + bench.err();
        int bad = bench.tao("run", "bad.yaml", "--id", "bad", "--interval", "1s");
        told += bench.out() + bench.err();

        assertThat(told).contains("good succeeded", "hello", "bad failed, exit code 3", "alas", "scontrol: JobId=4711");
        assertThat(told)
                .doesNotContainIgnoringCase("reminder")
                .doesNotContainIgnoringCase("terminate")
                .doesNotContainIgnoringCase("billed")
                .doesNotContainIgnoringCase("costs money");
        assertThat(good).isZero();
        assertThat(bad).isEqualTo(1);
    }

    /** The same directory by a name that is not refused as a node's own disk, wherever the sources lie. */
    private static Path nowhereBelowTmp(Path directory) {
        return Path.of("/proc/" + ProcessHandle.current().pid() + "/root" + directory);
    }
}

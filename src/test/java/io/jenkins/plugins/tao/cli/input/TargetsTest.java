package io.jenkins.plugins.tao.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.FakeType.Address;
import io.jenkins.plugins.tao.backend.FakeType.FakeTarget;
import io.jenkins.plugins.tao.backend.FakeType.Mood;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.cli.Bench;
import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.job.Secret;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetsTest {
    @TempDir
    Path directory;

    private Bench bench;

    @BeforeEach
    void setUp() {
        bench = new Bench(directory);
    }

    private Target target(String name) throws UsageException {
        return Targets.find(Optional.empty(), bench.surroundings()).named(name).target();
    }

    @Test
    void aTargetReadsNaturallyGroupsAndFilesIncluded() throws UsageException {
        bench.env.put("PASS", "opensesame");
        bench.write("tao-targets.yaml", """
                targets:
                  dgx:
                    backend: fake
                    access: {hosts: ['a:1', 'b:2'], user: tao, key: ~/.ssh/id, keyPassphrase: env:PASS}
                    queues: polar
                    mood: very-bad
                """);

        FakeTarget target = (FakeTarget) target("dgx");

        assertThat(target.name()).isEqualTo("dgx");
        assertThat(target.queues()).containsExactly("polar");
        assertThat(target.mood()).contains(Mood.VERY_BAD);
        assertThat(target.access().orElseThrow().hosts()).containsExactly(new Address("a", 1), new Address("b", 2));
        assertThat(target.access().orElseThrow().key().path()).isEqualTo(directory.resolve("home/.ssh/id"));
        assertThat(target.access().orElseThrow().key().passphrase()).contains(Secret.of("opensesame"));
    }

    @Test
    void aPassphraseThatIsWrittenItselfIsRefusedByItsOwnName() {
        bench.write("tao-targets.yaml", """
                targets:
                  dgx:
                    backend: fake
                    access: {hosts: ['a:1'], user: tao, key: ~/.ssh/id, keyPassphrase: hunter2}
                """);

        assertThatThrownBy(() -> target("dgx"))
                .hasMessageContaining("tao-targets.yaml:4:72: 'keyPassphrase': ")
                .hasMessageContaining("never written here itself")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void targetsMayBeAListWithNames() throws UsageException {
        bench.write("tao-targets.yaml", "targets:\n- {name: a, backend: fake}\n- {name: b, backend: fake, slots: 3}\n");

        assertThat(((FakeTarget) target("b")).slots()).hasValue(3);
    }

    @Test
    void whatIsWrongInATargetIsToldWithItsPlace() {
        bench.write("tao-targets.yaml", """
                targets:
                  a: {backend: fake, queue: x}
                  b: {queues: x}
                  c: {backend: fak}
                  d: {backend: fake, access: {hosts: [x], user: u, key: k}}
                  e: {backend: fake, mood: god}
                """);
        String file = directory.resolve("tao-targets.yaml").toString();

        assertThatThrownBy(() -> target("a"))
                .hasMessageStartingWith(file + ":2:22: unknown key 'queue'. Did you mean 'queues'? Known keys: ");
        assertThatThrownBy(() -> target("b")).hasMessageContaining(":3:6: the target 'b' needs the key 'backend'");
        assertThatThrownBy(() -> target("c"))
                .hasMessageContaining(":4:16: there is no backend 'fak'. Did you mean 'fake'?");
        assertThatThrownBy(() -> target("d")).hasMessageContaining(":5:39: 'hosts': 'x' is not host:port.");
        assertThatThrownBy(() -> target("e"))
                .hasMessageContaining(
                        "'mood': unknown value 'god'. Did you mean 'good'? Known values: good, very-bad.");
        assertThatThrownBy(() -> target("f")).hasMessageContaining("There is no target 'f' in " + file);
    }

    @Test
    @Promise({"GE-02", "SL-85", "GE-24"})
    void onlyTheTargetThatIsAskedForNeedsItsCredentials() throws UsageException {
        bench.write(
                "tao-targets.yaml", "targets:\n  a: {backend: fake, token: env:TOKEN_OF_A}\n  b: {backend: fake}\n");

        assertThat(target("b").name()).isEqualTo("b");
        assertThatThrownBy(() -> target("a"))
                .hasMessageContaining("The environment variable TOKEN_OF_A is not set; the target needs it.");
    }

    @Test
    void theTargetLocalIsThereWithoutAnyFile() throws UsageException {
        assertThat(target("local").name()).isEqualTo("local");
    }

    @Test
    void aTargetsFileThatIsNamedMustExist() {
        bench.env.put("TAO_TARGETS", "elsewhere.yaml");

        assertThatThrownBy(() -> target("fake"))
                .hasMessageStartingWith(
                        "There is no targets file " + directory.resolve("elsewhere.yaml") + ". Correct the path");
    }

    @Test
    @Promise("SL-03")
    void aMissingUserOrHostNamesBothVariablesAndTheCommaRule() {
        bench.env.put("SLURM_HOSTNAME", "login1");
        assertThatThrownBy(() -> new EnvironmentTargets(bench.surroundings()).place("slurm", bench.type))
                .hasMessageStartingWith("MISSING: SLURM_USER.")
                .hasMessageContainingAll("SLURM_USER", "SLURM_HOSTNAME", "comma list");

        bench.env.put("SLURM_USER", "tao");
        bench.env.put("SLURM_HOSTNAME", " , ");
        assertThatThrownBy(() -> new EnvironmentTargets(bench.surroundings()).place("slurm", bench.type))
                .hasMessageStartingWith("MISSING: SLURM_HOSTNAME.")
                .hasMessageContainingAll("SLURM_USER", "comma list");
    }
}

package io.jenkins.plugins.tao.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.NeedsRig;
import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.Rigs;
import io.jenkins.plugins.tao.backend.BackendException;
import io.jenkins.plugins.tao.backend.Paths.Entry;
import io.jenkins.plugins.tao.backend.Paths.Kind;
import io.jenkins.plugins.tao.backend.slurm.options.SlurmTarget;
import io.jenkins.plugins.tao.remote.host.Host;
import io.jenkins.plugins.tao.remote.ssh.SshHost;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies on the shared filesystem of the rig, asked over SSH. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NeedsRig(value = "slurm", shared = true)
final class SlurmListingIT {
    private final String base = "/lustre/tao/ls-" + UUID.randomUUID().toString().substring(0, 8);
    private final SlurmTarget target =
            SlurmRig.target(base.substring("/lustre/tao/".length())).build();
    private final Host host = new SshHost(target.login(), "rig");
    private final SlurmBackend backend = new SlurmBackend(target, host);

    @BeforeAll
    void data() throws Exception {
        SlurmRig.assumeUp();
        SlurmRig.shell(
                host,
                "mkdir -p " + base + "/coco/train " + base + "/secret && printf 12345 >" + base
                        + "/coco/labels.json && printf '' >\"" + base + "/coco/it's a  file\" && chmod 0 " + base
                        + "/secret");
    }

    @AfterAll
    void close() throws Exception {
        if (Rigs.isUp(SlurmRig.STATE)) {
            SlurmRig.shell(host, "chmod 700 " + base + "/secret; rm -rf " + base);
        }
        host.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "slurm://None/", "slurm:///", "lustre:///", "lustre://"})
    @Promise("GE-25")
    void aPathIsListedHoweverItsAddressIsWritten(String scheme) throws Exception {
        String address = scheme + base.substring(1) + "/coco/";

        assertThat(backend.list(address).orElseThrow().entries())
                .containsExactly(
                        new Entry("it's a  file", Kind.FILE, OptionalLong.of(0)),
                        new Entry("labels.json", Kind.FILE, OptionalLong.of(5)),
                        new Entry("train", Kind.DIRECTORY, OptionalLong.empty()));
    }

    @Test
    void aPathThatIsNotThereIsAbsent() throws Exception {
        assertThat(backend.list("lustre://" + base + "/gone")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/secret", "/secret/inside"})
    void aPathThatMayNotBeReadIsNotCalledAbsent(String path) {
        assertThatThrownBy(() -> backend.list(base + path))
                .isInstanceOf(BackendException.Denied.class)
                .hasMessageContaining(base + path);
    }

    @Test
    void anAddressOfAnotherStorageIsRefused() {
        assertThatThrownBy(() -> backend.list("s3://data/coco")).isInstanceOf(BackendException.Rejected.class);
    }
}

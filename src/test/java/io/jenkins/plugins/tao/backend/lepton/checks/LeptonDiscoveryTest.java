package io.jenkins.plugins.tao.backend.lepton.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.Discovery.Found;
import io.jenkins.plugins.tao.backend.lepton.LeptonSimulator;
import io.jenkins.plugins.tao.backend.lepton.LeptonType;
import io.jenkins.plugins.tao.backend.lepton.LeptonWorkspace;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonMount;
import io.jenkins.plugins.tao.backend.lepton.options.LeptonVolume;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeptonDiscoveryTest extends LeptonWorkspace {
    private List<Found> found(String kind) throws Exception {
        return new LeptonType()
                .discover(simulator.target().build()).stream()
                        .filter(each -> each.kind().equals(kind))
                        .toList();
    }

    @Test
    @Promise("LE-17")
    void theShapesForJobsAreListedWithWhatTheyHold() throws Exception {
        assertThat(found("resource shape"))
                .extracting(Found::value)
                .containsExactly(
                        "gpu.8xh100-sxm", "gpu.1xh100-sxm", "gpu.4xl40s", "gpu.4xh100", "cpu.small", "cpu.medium");
        assertThat(found("resource shape").get(0).facts())
                .containsEntry("gpus", "8")
                .containsEntry("gpu", "H100-SXM")
                .containsEntry("gpu memory", "79 GB")
                .containsEntry("cpus", "192")
                .containsEntry("memory", "1757 GB")
                .containsEntry("node group", "my-h100-pool-abcd");
    }

    @Test
    @Promise("LE-18")
    void theVolumesOfEachNodeGroupAreListed() throws Exception {
        assertThat(found("volume"))
                .extracting(each -> each.value().replaceAll("=.*", "") + " " + each.facts())
                .containsExactly(
                        "scratch {type=local, path=/raid, node group=my-h100-pool}",
                        "team-filestore {type=nfs, path=/share, node group=my-h100-pool}",
                        "fsw-lustre {type=nfs, path=/lustre/fsw, node group=my-h100-pool}");
    }

    @Test
    @Promise("LE-19")
    void thePermissionsOfAVolumeAreListed() throws Exception {
        simulator.permissions = LeptonSimulator.golden("permissions.json");

        assertThat(found("storage permission"))
                .extracting(each -> each.facts().get("volume") + " " + each.value() + " "
                        + each.facts().get("members"))
                .contains("fsw-lustre /fsw/team *", "fsw-lustre /fsw/users/<user> dev@example.test");
    }

    @Test
    void theNodeGroupsAreListed() throws Exception {
        assertThat(found("node group")).extracting(Found::value).containsExactly("my-h100-pool", "l40s");
    }

    @ParameterizedTest
    @CsvSource({
        "nodeGroup, GET /dedicated-node-groups",
        "resourceShape, GET /shapes?purpose=job",
        "mounts, GET /dedicated-node-groups",
        "priority, ''",
    })
    void aFieldOfAFormCostsOneQuestionAndGetsWhatIsFoundForIt(String field, String question) throws Exception {
        List<Found> all = new LeptonType().discover(simulator.target().build());
        simulator.calls.clear();

        List<Found> offered = new LeptonType().discover(simulator.target().build(), field);

        assertThat(offered)
                .isEqualTo(
                        all.stream().filter(each -> each.field().equals(field)).toList());
        assertThat(String.join("; ", simulator.calls)).isEqualTo(question);
    }

    @ParameterizedTest
    @CsvSource({
        "plain;team-filestore;fsw-LUSTRE, fsw-LUSTRE",
        "plain;team-Filestore;other, team-Filestore",
        "plain;other, plain"
    })
    @Promise("LE-34")
    void lustreGoesBeforeOtherFileStoresTheseBeforeTheRest(String names, String best) {
        List<LeptonVolume> volumes = Arrays.stream(names.split(";"))
                .map(name -> new LeptonVolume(name, "nfs", "", "", 1))
                .toList();

        assertThat(LeptonMount.preferred(volumes).orElseThrow().volume()).isEqualTo(best);
    }
}

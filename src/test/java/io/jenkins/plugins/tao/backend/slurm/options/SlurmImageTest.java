package io.jenkins.plugins.tao.backend.slurm.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SlurmImageTest {
    @ParameterizedTest
    @Promise("SL-43")
    @CsvSource({
        "/lustre/tao.sqsh, /lustre/tao.sqsh",
        "docker://nvcr.io#nvidia/tao:1, docker://nvcr.io#nvidia/tao:1",
        "dockerd://tao:1, dockerd://tao:1",
        "nvcr.io/nvidia/tao/tao-toolkit:6.26.3-pyt, nvcr.io#nvidia/tao/tao-toolkit:6.26.3-pyt",
        "nvcr.io#nvidia/tao:1, nvcr.io#nvidia/tao:1",
        "registry:5000/team/x:1, registry:5000#team/x:1",
        "localhost/x:1, localhost#x:1",
        "ghcr.io/a/b@sha256:0123, ghcr.io#a/b@sha256:0123",
        "repo/image:tag, repo/image:tag",
        "ubuntu:24.04, ubuntu:24.04"
    })
    void pyxisGetsEachFormAsItWantsIt(String given, String passed) {
        assertThat(SlurmImage.forPyxis(given)).isEqualTo(passed);
    }

    @ParameterizedTest
    @CsvSource({
        "/lustre/tao.sif, /lustre/tao.sif",
        "nvcr.io#nvidia/tao:1, docker://nvcr.io/nvidia/tao:1",
        "ubuntu:24.04, docker://ubuntu:24.04",
        "library://x/y:1, library://x/y:1"
    })
    void apptainerGetsEachFormAsItWantsIt(String given, String passed) {
        assertThat(SlurmImage.forApptainer(given)).isEqualTo(passed);
    }

    @ParameterizedTest
    @Promise("SL-06")
    @CsvSource({
        "nvcr.io/a/b:1, true",
        "nvcr.io#a/b:1, true",
        "docker://nvcr.io#a/b:1, true",
        "ghcr.io/nvcr.io/x, false",
        "/lustre/nvcr.io_x.sqsh, false"
    })
    void onlyImagesOfNvcrNeedItsCredentials(String image, boolean nvcr) {
        assertThat(SlurmImage.isNvcr(image)).isEqualTo(nvcr);
    }
}

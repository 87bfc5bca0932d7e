package io.jenkins.plugins.tao.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeaturePageTest {
    /** The build's last step says the same, after all tests. */
    @Test
    void eachIdThatATestOfThisProjectCarriesIsInTheList() throws IOException {
        PromiseList list = FeaturePage.list(Path.of("").toAbsolutePath());
        Map<String, Set<String>> declared = DeclaredTests.in("io.jenkins.plugins.tao");

        assertThat(declared)
                .containsEntry("BuildEndIT.aJobOfAGoodBuildGoesOnAndTheLogHasItsToken", Set.of("TR-30"))
                .hasSizeGreaterThan(100);
        assertThatNoException().isThrownBy(() -> new FeatureTable(list, declared, Set.of()));
    }

    @Test
    void whatAnEarlierBuildNotedDoesNotCount(@TempDir Path notes) throws IOException {
        Files.writeString(notes.resolve("surefire-1.tsv"), "build 7\nA.b\nA.c\n");
        Files.writeString(notes.resolve("failsafe-1.tsv"), "build 7\nC.d\n");
        Files.writeString(notes.resolve("failsafe-2.tsv"), "build 6\nE.f\n");

        assertThat(FeaturePage.passed(notes, "build 7")).containsExactlyInAnyOrder("A.b", "A.c", "C.d");
        assertThat(FeaturePage.passed(notes.resolve("none"), "build 7")).isEmpty();
    }
}

package io.jenkins.plugins.tao.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of nodes that jobs avoid. */
class AvoidedNodesTest {
    private static final Instant NOW = Instant.parse("2026-11-23T02:00:00Z");
    private static final Duration HALF_A_DAY = Duration.ofHours(12);

    @TempDir
    private Path folder;

    private void failed(String target, String node, Instant at) throws IOException {
        new AvoidedNodes(folder)
                .add(target, Set.of(node), "nightly#12 dino", "NODE_FAILURE,\n A node failed.", at, HALF_A_DAY);
    }

    @Test
    @Promise("NV-30")
    void anotherProcessFindsWhatFailedByNameWithReasonJobSinceAndUntil() throws IOException {
        failed("dgx", "gpu02", NOW);
        failed("dgx", "gpu07", NOW.plusSeconds(60));
        failed("k8s", "gpu02", NOW);

        assertThat(new AvoidedNodes(folder).of("dgx", NOW.plusSeconds(61)))
                .extracting(AvoidedNodes.Entry::node)
                .containsExactly("gpu07", "gpu02");
        assertThat(new AvoidedNodes(folder).all(NOW.plusSeconds(61)))
                .hasSize(3)
                .last()
                .hasToString(
                        "gpu02 until 2026-11-23T14:00:00Z: it failed at 2026-11-23T02:00:00Z under nightly#12 dino:"
                                + " NODE_FAILURE, A node failed.");
    }

    @Test
    @Promise("NV-30")
    void anEntryExpiresAndGoesFromTheFileWithTheNextChange() throws IOException {
        failed("dgx", "gpu02", NOW);
        Instant after = NOW.plus(HALF_A_DAY);

        assertThat(new AvoidedNodes(folder).of("dgx", after.minusSeconds(1))).hasSize(1);
        assertThat(new AvoidedNodes(folder).of("dgx", after)).isEmpty();
        failed("dgx", "gpu07", after);
        assertThat(folder.resolve("dgx.json")).content().contains("gpu07").doesNotContain("gpu02");
    }

    @Test
    @Promise("NV-30")
    void aNodeThatFailsAgainIsAvoidedFromThenOnAndStandsThereOnce() throws IOException {
        failed("dgx", "gpu02", NOW);
        failed("dgx", "gpu02", NOW.plus(HALF_A_DAY).minusSeconds(1));

        assertThat(new AvoidedNodes(folder).of("dgx", NOW.plus(HALF_A_DAY)))
                .singleElement()
                .satisfies(entry -> assertThat(entry.until())
                        .isEqualTo(NOW.plus(Duration.ofHours(24)).minusSeconds(1)));
    }

    @Test
    @Promise("NV-30")
    void anAllowedNodeIsGoneAndTheOthersStay() throws IOException {
        failed("dgx", "gpu02", NOW);
        failed("dgx", "gpu07", NOW);

        assertThat(new AvoidedNodes(folder).allow("dgx", "gpu02")).isPresent();
        assertThat(new AvoidedNodes(folder).allow("dgx", "gpu02")).isEmpty();
        assertThat(new AvoidedNodes(folder).allow("other", "gpu02")).isEmpty();
        assertThat(new AvoidedNodes(folder).of("dgx", NOW))
                .extracting(AvoidedNodes.Entry::node)
                .containsExactly("gpu07");
    }

    @Test
    @Promise("NV-30")
    void manyWritersAtOnceLoseNoNode() {
        IntStream.range(0, 40).parallel().forEach(number -> {
            try {
                failed("dgx", "gpu" + number, NOW);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });

        assertThat(readAll()).isEqualTo(40);
    }

    private int readAll() {
        try {
            return new AvoidedNodes(folder).of("dgx", NOW).size();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    @Promise("NV-30")
    void aDamagedListIsToldAndNeverReadAsEmpty() throws IOException {
        Files.writeString(folder.resolve("dgx.json"), "{\"nodes\": [{\"node\": \"gpu02\", \"since\": \"soon\"}]}");

        assertThatThrownBy(() -> new AvoidedNodes(folder).of("dgx", NOW))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("dgx.json is damaged");
        failed("k8s", "gpu02", NOW);
        AvoidedNodes.Look look = new AvoidedNodes(folder).look(NOW);
        assertThat(look.nodes()).extracting(AvoidedNodes.Entry::target).containsExactly("k8s");
        assertThat(look.gaps()).singleElement().asString().startsWith("dgx cannot be read: ");
        Files.writeString(folder.resolve("dgx.json"), "{\"nodes\": [\n{");
        assertThat(new AvoidedNodes(folder).look(NOW).gaps())
                .singleElement()
                .asString()
                .doesNotContain("\n");
        Files.writeString(folder.resolve("dgx.json"), "");
        assertThatThrownBy(() -> failed("dgx", "gpu07", NOW)).hasMessageContaining("dgx.json is damaged");
        assertThat(folder.resolve("dgx.json")).isEmptyFile();
    }

    @Test
    void withoutATimeNothingIsKept() throws IOException {
        new AvoidedNodes(folder.resolve("none")).add("dgx", Set.of("gpu02"), "job", "why", NOW, Duration.ZERO);

        assertThat(folder.resolve("none")).doesNotExist();
        assertThat(new AvoidedNodes(folder.resolve("none")).all(NOW)).isEmpty();
    }
}

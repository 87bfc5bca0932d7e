package io.jenkins.plugins.tao.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@Promise("TR-33")
class PatternUseTest implements ArtifactSink {
    private final List<String> told = new ArrayList<>();
    private final PatternUse use =
            new PatternUse(ArtifactPlan.of(List.of("train/*.pth", "**/*.{csv,txt}", "eval/*.json", "[")), this);

    @Override
    public ArtifactFile open(String path) {
        return new MemoryFile(kept -> {});
    }

    @Override
    public void skipped(String path, String reason) {
        told.add(path + " " + reason);
    }

    @Test
    void aPatternThatMatchedNoFileIsNamed() throws IOException {
        use.open("logs/main.out").close();
        use.open("results/train/model.pth").close();
        use.open("results/notes.txt").close();

        assertThat(use.unmatched()).containsExactly("eval/*.json", "[");
        assertThat(told).isEmpty();
    }

    @Test
    void aFileThatWasLeftOutAndAPatternThatTheBackendSpokeOfAreNotNamed() {
        use.skipped("results/train/model.pth", "has 5 bytes; at most 4 a file are copied");
        use.skipped("results/eval/*.json", "it stays on the volume");
        use.skipped("[", "is not a file pattern");

        assertThat(use.unmatched()).containsExactly("**/*.{csv,txt}");
        assertThat(told).hasSize(3);
    }
}

package io.jenkins.plugins.tao.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.job.Outcome.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One table of all endings, for every backend and for people. */
class EndingsTest {
    private static final Path PAGE = Path.of("docs/troubleshooting.md");

    @ParameterizedTest
    @CsvSource({
        "slurm, NODE_FAIL, NODE_FAILURE",
        "slurm, DEADLINE, DEADLINE",
        "kubernetes, OutOfnvidia.com/gpu, NODE_FAILURE",
        "kubernetes, OutOfmemory, NODE_FAILURE",
        "kubernetes, OutOfephemeral-storage, NODE_FAILURE",
        "kubernetes, UnexpectedAdmissionError, NODE_FAILURE",
        "kubernetes, OOMKilled, OUT_OF_MEMORY",
        "lepton, Stopped, CANCELLED",
        "tao, FAILURE, FAILED",
    })
    void aWordOfASystemHasOneMeaning(String system, String word, Ending ending) {
        assertThat(Endings.of(system, word)).hasValue(ending);
    }

    @ParameterizedTest
    @CsvSource({"slurm, SPECULATING", "kubernetes, OOM", "tao, RUNNING", "cloud, FAILED"})
    void anotherWordHasNone(String system, String word) {
        assertThat(Endings.of(system, word)).isEmpty();
    }

    @Test
    void thePageShowsTheTable() throws IOException {
        assertThat(Files.readString(PAGE)).contains(causes()).contains(words());
    }

    private static String causes() {
        StringBuilder text = new StringBuilder(
                "| cause | fault | tried again | outcome | next step if nothing else is known |\n|---|---|---|---|---|\n");
        for (Cause cause : Cause.values()) {
            text.append(String.format(
                    "| `%s` | %s | %s | %s | %s |%n",
                    cause,
                    cause.fault().words(),
                    cause.infrastructure() ? "yes" : "no",
                    cause == Cause.PREEMPTED ? "cancelled" : "failed",
                    cause.remedy()));
        }
        return text.toString();
    }

    private static String words() {
        StringBuilder text = new StringBuilder("| system | its word | means |\n|---|---|---|\n");
        for (Map.Entry<String, Map<String, Ending>> system : Endings.TABLE.entrySet()) {
            system.getValue()
                    .forEach((word, ending) -> text.append(String.format(
                            "| %s | `%s` | %s |%n",
                            system.getKey(),
                            word,
                            ending.cause().map(cause -> "`" + cause + "`").orElse(Endings.words(ending)))));
        }
        return text.toString();
    }
}

package io.jenkins.plugins.tao.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselinesTest {
    @TempDir
    private Path folder;

    private void bless(String name, RunRecord run) throws IOException {
        Baselines.in(folder).bless(new Blessed(name, run, "ana", Instant.EPOCH, "shipped"));
    }

    private static ARun run(int night, String network) {
        return ARun.of(night).metric("a", night).text("work", "network", network);
    }

    @Test
    @Promise({"NV-14", "NV-18"})
    void theNewestBlessingOfTheSameTrainingCountsAndElseTheNewest() throws IOException {
        bless("v1", run(1, "dino").record());
        bless("v1", run(2, "dino").record());
        bless("v1", run(3, "segformer").record());
        bless("v2", run(4, "segformer").record());

        Baselines.Known known = Baselines.in(folder).read();

        assertThat(known.newestFor(run(9, "dino").record()))
                .hasEntrySatisfying(
                        "v1", blessed -> assertThat(blessed.record().label()).isEqualTo("#2"))
                .hasEntrySatisfying(
                        "v2", blessed -> assertThat(blessed.record().label()).isEqualTo("#4"));
        assertThat(known.newest())
                .hasEntrySatisfying(
                        "v1", blessed -> assertThat(blessed.record().label()).isEqualTo("#3"));
    }

    @Test
    @Promise("NV-18")
    void aBaselineWhoseNewestLineCannotBeReadIsNotReplacedByAnOlderOne() throws IOException {
        bless("v1", run(1, "dino").record());
        Files.writeString(
                folder.resolve(Baselines.FILE), "{\"schema\": 1, \"name\": \"v1\"}\n", StandardOpenOption.APPEND);

        Baselines.Known known = Baselines.in(folder).read();

        assertThat(known.newestFor(run(9, "dino").record())).doesNotContainKey("v1");
        assertThat(known.unreadable()).containsKey("v1");
    }

    @Test
    @Promise("NV-18")
    void halfALineDamagesTheBaselineThatItNamesAndNoOther() throws IOException {
        bless("v1", run(1, "dino").record());
        bless("v2", run(2, "dino").record());
        String line = Files.readAllLines(folder.resolve(Baselines.FILE)).get(0);
        Files.writeString(
                folder.resolve(Baselines.FILE),
                line.substring(0, line.indexOf("record")) + "\n",
                StandardOpenOption.APPEND);

        Baselines.Known known = Baselines.in(folder).read();

        assertThat(known.unreadable()).containsOnlyKeys("v1");
        assertThat(known.newest()).containsOnlyKeys("v2");
    }
}

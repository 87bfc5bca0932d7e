package io.jenkins.plugins.tao.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
    private static final Instant FEBRUARY = Instant.parse("2026-02-01T00:00:00Z");

    @TempDir
    private Path folder;

    @Test
    @Promise("NV-26")
    void aFileForEachMonthIsReadAndTheNewestLineOfARunCounts() throws IOException {
        Ledger ledger = new Ledger(folder);
        ledger.add(ARun.of(1).record());
        ledger.add(ARun.of(40).ended("going").record());
        assertThat(ledger.since(FEBRUARY).records()).hasSize(1);
        ledger.add(ARun.of(40).record());
        ledger.add(ARun.of(40).ended("going").record());
        Files.writeString(folder.resolve("ledger-2026-02.jsonl"), "{\"schema\"", StandardOpenOption.APPEND);
        assertThat(ledger.since(FEBRUARY).unreadable()).isZero();
        ledger.add(ARun.of(41).record());

        RunHistory.Known known = ledger.since(FEBRUARY);

        assertThat(known.records()).extracting(RunRecord::outcome).containsExactly("succeeded", "succeeded");
        assertThat(known.unreadable()).as("half a line after a crash").isEqualTo(1);
        assertThat(ledger.since(Instant.EPOCH).records()).hasSize(3);
        assertThat(new Ledger(folder).since(FEBRUARY).records()).isEqualTo(known.records());
    }

    @Test
    void aLineIsBriefAndHasNoSecretOfASpec() throws IOException {
        new Ledger(folder)
                .add(ARun.of(1).metric("a", 1, 2).text("work", "image", "x").record());

        assertThat(Files.readString(folder.resolve("ledger-2026-01.jsonl")))
                .doesNotContain("metrics", "image")
                .contains("gpuSeconds", "queueSeconds");
    }
}

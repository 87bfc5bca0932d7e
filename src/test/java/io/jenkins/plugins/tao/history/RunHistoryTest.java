package io.jenkins.plugins.tao.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.gate.criteria.Blessed;
import io.jenkins.plugins.tao.record.ARun;
import io.jenkins.plugins.tao.record.MetricSummary;
import io.jenkins.plugins.tao.record.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunHistoryTest {
    @TempDir
    private Path folder;

    @Test
    void halfALineAndARerunAreSurvived() throws IOException {
        RunHistory history = new RunHistory(folder);
        history.add(ARun.of(1).metric("a", 1).record());
        Files.writeString(folder.resolve(RunHistory.FILE), "{\"schema\": 1, \"id\": \"tr", StandardOpenOption.APPEND);
        history.add(ARun.of(2).metric("a", 2).record());
        history.add(ARun.of(1).metric("a", 3).record());

        RunHistory.Known known = history.read();

        assertThat(known.records()).extracting(RunRecord::label).containsExactly("#1", "#2");
        assertThat(known.records().get(0).metric("a").orElseThrow().last()).isEqualTo(3);
        assertThat(known.unreadable()).isEqualTo(1);
    }

    @Test
    void aYearOfNightsIsReadInTimesThatNobodyNotices() throws IOException {
        RunHistory history = new RunHistory(folder);
        double[] curve = new double[40];
        for (int night = 1; night <= 365; night++) {
            history.add(ARun.of(night)
                    .metric("val_mAP50", curve)
                    .metric("val_loss", curve)
                    .record());
        }
        history.read();

        long begin = cpuNanos();
        RunHistory.Known known = history.read();

        assertThat(known.records()).hasSize(365);
        assertThat(Duration.ofNanos(cpuNanos() - begin)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void curvesAreNotKeptAndReadWhenTheyAreAskedFor() throws IOException {
        RunHistory history = new RunHistory(folder);
        history.add(ARun.of(1).metric("a", 1, 2, 3).record());
        history.add(ARun.of(2).metric("a", 4, 5, 6).record());
        RunRecord second = history.read().records().get(1);

        assertThat(second.metric("a").orElseThrow().curve())
                .extracting(MetricSummary.Point::value)
                .containsExactly(4.0, 5.0, 6.0);
        assertThat(second.line())
                .isEqualTo(ARun.of(2).metric("a", 4, 5, 6).record().line());

        Files.delete(folder.resolve(RunHistory.FILE));
        MetricSummary kept = second.metric("a").orElseThrow();
        assertThat(kept.last()).isEqualTo(6);
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> kept.curve().size());
    }

    @Test
    void aFileIsReadOnceUntilItChanges() throws IOException {
        new RunHistory(folder).add(ARun.of(1).metric("a", 1).record());
        RunHistory.Known first = new RunHistory(folder).read();

        assertThat(new RunHistory(folder).read()).isSameAs(first);
        assertThat(new RunHistory(folder).adopt(folder)).isSameAs(first);

        new RunHistory(folder).add(ARun.of(2).metric("a", 2).record());
        assertThat(new RunHistory(folder).read().records())
                .extracting(RunRecord::label)
                .containsExactly("#1", "#2");
        Files.delete(folder.resolve(RunHistory.FILE));
        assertThat(new RunHistory(folder).read().records()).isEmpty();
    }

    @Test
    void linesOfAnyLengthAndEndAreRead() throws IOException {
        String longer = ARun.of(2)
                .text("work", "note", "ü".repeat(200_000))
                .metric("a", 1, 2, 3)
                .record()
                .line();
        Files.writeString(
                folder.resolve(RunHistory.FILE),
                "\r\n \n" + ARun.of(1).record().line() + "\r\n" + longer + "\n\n\0\0\n"
                        + ARun.of(3).record().line());

        RunHistory.Known known = new RunHistory(folder).read();

        assertThat(known.records()).extracting(RunRecord::label).containsExactly("#1", "#2", "#3");
        assertThat(known.unreadable())
                .as("the line of zeros, as a crash leaves it")
                .isEqualTo(1);
        assertThat(known.records().get(1).line()).isEqualTo(longer);
    }

    /** The time that this thread has worked, however much else runs on this machine. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @Test
    void foldersThatWereCopiedHereAreAdoptedOnce() throws IOException {
        Files.createDirectories(folder.resolve("train-4"));
        Files.writeString(
                folder.resolve("train-4/record.json"), ARun.of(4).record().render());
        Files.createDirectories(folder.resolve("train-5"));
        Files.writeString(folder.resolve("train-5/record.json"), "{");
        RunHistory history = new RunHistory(folder);

        assertThat(history.adopt(folder).records()).hasSize(1);
        assertThat(history.adopt(folder).unreadable()).isEqualTo(1);
        assertThat(history.read().records()).hasSize(1);
    }

    @Test
    void theFolderOfARunThatIsKnownIsNotOpened() throws IOException {
        RunHistory history = new RunHistory(folder);
        history.add(ARun.of(4).record());
        Files.createDirectories(folder.resolve("train-4"));
        Files.writeString(folder.resolve("train-4/record.json"), "{");

        assertThat(history.adopt(folder).unreadable()).isZero();
    }

    @Test
    @Promise("NV-18")
    void aBlessingHoldsTheWholeRunAndSaysWhoWhenAndWhy() throws IOException {
        Baselines baselines = Baselines.in(folder);
        RunRecord run = ARun.of(7).metric("val_mAP50", 0.4).record();
        baselines.bless(new Blessed("v1", run, "ana", Instant.parse("2026-02-01T00:00:00Z"), "shipped"));
        baselines.bless(
                new Blessed("v1", ARun.of(9).record(), "ben", Instant.parse("2026-03-01T00:00:00Z"), "new data"));

        Baselines.Known known = baselines.read();

        assertThat(known.all()).hasSize(2);
        assertThat(known.all().get(0).record()).isEqualTo(run);
        assertThat(known.newest()).hasEntrySatisfying("v1", blessed -> {
            assertThat(blessed.by()).isEqualTo("ben");
            assertThat(blessed.why()).isEqualTo("new data");
        });
    }

    @Test
    void aDamagedBlessingIsNamedAndNotReplacedByAnOlderOne() throws IOException {
        Baselines baselines = Baselines.in(folder);
        baselines.bless(new Blessed("v1", ARun.of(1).record(), "ana", Instant.EPOCH, "x"));
        Files.writeString(
                folder.resolve(Baselines.FILE),
                "{\"name\": \"v1\", \"at\": \"?\", \"record\": {}}\n",
                StandardOpenOption.APPEND);

        Baselines.Known known = baselines.read();

        assertThat(known.newest()).isEmpty();
        assertThat(known.unreadable()).containsKey("v1");
    }

    @Test
    void whatFailedOrHasNoReasonCannotBeBlessed() {
        Baselines baselines = Baselines.in(folder);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> baselines.bless(
                        new Blessed("v1", ARun.of(1).ended("failed").record(), "ana", Instant.EPOCH, "x")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> baselines.bless(new Blessed("v1", ARun.of(1).record(), "ana", Instant.EPOCH, " ")));
    }
}

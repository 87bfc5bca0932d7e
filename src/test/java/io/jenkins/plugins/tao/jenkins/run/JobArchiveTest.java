package io.jenkins.plugins.tao.jenkins.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.Promise;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.jenkins.FakeBuild;
import io.jenkins.plugins.tao.jenkins.FakeJenkins;
import io.jenkins.plugins.tao.jenkins.page.BuildFolder;
import io.jenkins.plugins.tao.jenkins.page.TaoRunActions;
import io.jenkins.plugins.tao.job.JobHandle;
import io.jenkins.plugins.tao.monitor.SimulatedCluster;
import io.jenkins.plugins.tao.record.GpuSeries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a job's files in the archive of its build. */
class JobArchiveTest {
    private static final JobHandle JOB = SimulatedCluster.handle(1, Instant.EPOCH);
    private static final String LONG = "epoch 1/10 loss 0.5\n".repeat(1000);

    @TempDir
    private Path home;

    private FakeJenkins jenkins;
    private FakeBuild build;

    @BeforeEach
    void start() {
        jenkins = FakeJenkins.in(home, new TaoRunActions(), new LiveBuilds());
        build = jenkins.build("train");
    }

    @AfterEach
    void stop() {
        jenkins.close();
    }

    private static void take(JobArchive archive, String path, String text) throws IOException {
        try (ArtifactFile file = archive.open(path)) {
            file.content().write(text.getBytes(StandardCharsets.UTF_8));
            file.keep();
        }
    }

    private Path store(long logLimit) throws IOException {
        BuildScope scope = new BuildScope(build, build.listener());
        JobArchive archive = new JobArchive(scope, "job-1");
        take(archive, "logs/rank0.log", LONG);
        take(archive, "logs/rank1.log", "short\n");
        take(archive, "model.pth", LONG);
        archive.store(new RunJournal(scope, SimulatedCluster.handle(1, Instant.EPOCH)), logLimit);
        return build.getRootDir().toPath().resolve("archive/tao/job-1");
    }

    @Test
    @Promise("JK-20")
    void aLogLongerThanTheConsoleShowsIsArchivedWholeAndCompressedAndNothingElseIs() throws IOException {
        Path archived = store(1000);

        assertThat(archived.resolve("logs/rank0.log")).doesNotExist();
        Path compressed = archived.resolve("logs/rank0.log.gz");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(compressed))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(LONG);
        }
        assertThat(Files.size(compressed)).isLessThan(LONG.length() / 10);
        assertThat(archived.resolve("logs/rank1.log")).hasContent("short");
        assertThat(archived.resolve("model.pth")).hasContent(LONG);
    }

    @Test
    void whatUsersLookForLiesOnceAndWhatProgramsNeedIsNotAmongTheArtifacts() throws IOException {
        BuildScope scope = new BuildScope(build, build.listener());
        RunJournal journal = new RunJournal(scope, JOB);
        journal.watched();
        JobArchive archive = new JobArchive(scope, JOB.key().value());
        take(archive, "logs/main.out", LONG);

        archive.store(journal, Long.MAX_VALUE);

        Path archived = build.getRootDir().toPath().resolve("archive/tao/job-1");
        assertThat(names(archived)).containsExactly("failure.md", "logs", "record.json", "series.csv");
        assertThat(names(BuildFolder.ofJob(build, "job-1"))).containsExactly("job.json");
        assertThat(BuildFolder.file(build, "job-1", "record.json")).isEqualTo(archived.resolve("record.json"));
        assertThat(BuildFolder.file(build, "job-1", "job.json")).exists();
    }

    @Test
    void aProcessThatGoesOnAfterTheArchivingFindsTheUseOfTheGpusAgain() throws IOException {
        BuildScope scope = new BuildScope(build, build.listener());
        new RunJournal(scope, JOB).watched();
        Path archived = Files.createDirectories(build.getRootDir().toPath().resolve("archive/tao/job-1"));
        Files.writeString(archived.resolve(GpuSeries.FILE), GpuSeries.HEADER + "2026-11-21T00:00:30Z,0,90,40123\n");

        new JobArchive(scope, "job-1").store(new RunJournal(scope, JOB), Long.MAX_VALUE);

        assertThat(archived.resolve("record.json")).content().contains("gpuPercent");
        assertThat(archived.resolve(GpuSeries.FILE)).content().contains("40123");
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    @Promise("JK-20")
    void withoutALimitEachLogIsArchivedAsItIs() throws IOException {
        assertThat(store(Long.MAX_VALUE).resolve("logs/rank0.log")).hasContent(LONG);
    }
}

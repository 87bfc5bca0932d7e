package io.jenkins.plugins.tao.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jenkins.plugins.tao.Promise;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file between its first byte and its last. */
class StagedFileTest {
    @TempDir
    Path directory;

    private final List<String> kept = new ArrayList<>();
    private Path archive;

    @BeforeEach
    void anArchive() throws IOException {
        archive = Files.createDirectory(directory.resolve("archive"));
    }

    private StagedFile open(String path) throws IOException {
        StagedFile.Areas areas = new StagedFile.Areas(directory.resolve("incoming"), archive);
        return StagedFile.open(areas, path, UnaryOperator.identity(), kept::add);
    }

    @Test
    @Promise("TR-05")
    void untilItIsKeptNothingOfItIsInTheArchive() throws Exception {
        try (StagedFile file = open("results/best.pth")) {
            file.content().write("half".getBytes(StandardCharsets.UTF_8));
            file.content().flush();

            assertThat(archive).isEmptyDirectory();
            assertThat(kept).isEmpty();

            file.content().write(" and half".getBytes(StandardCharsets.UTF_8));
            file.keep();
        }

        assertThat(archive.resolve("results/best.pth")).hasContent("half and half");
        assertThat(kept).containsExactly("results/best.pth");
    }

    @Test
    @Promise({"TR-60", "TR-64"})
    void filesThatWaitForTheirChecksumsHoldNoBuffers() throws Exception {
        int files = 2000;
        List<StagedFile> waiting = new ArrayList<>();
        long before = liveBytes();
        for (int i = 0; i < files; i++) {
            StagedFile file = open("results/" + i);
            file.content().write(i);
            file.content().close();
            waiting.add(file);
        }

        assertThat((liveBytes() - before) / files).as("bytes of each").isLessThan(16 * 1024);

        for (StagedFile file : waiting) {
            file.keep();
        }
        assertThat(kept).hasSize(files);
    }

    private static long liveBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    @Promise("TR-05")
    void nothingIsTakenAfterTheLastByte() throws Exception {
        try (StagedFile file = open("status.json")) {
            OutputStream content = file.content();
            content.close();
            content.close();

            assertThatThrownBy(() -> content.write('x')).isInstanceOf(IOException.class);
        }
    }

    @Test
    @Promise("TR-05")
    void oneThatIsNotKeptLeavesNothingAndDoesNotTouchAnEarlierOne() throws Exception {
        Files.writeString(archive.resolve("status.json"), "whole");

        try (StagedFile file = open("status.json")) {
            file.content().write('h');
        }

        assertThat(archive.resolve("status.json")).hasContent("whole");
        assertThat(directory.resolve("incoming")).isEmptyDirectory();
        assertThat(kept).isEmpty();
    }

    @Test
    void aNameThatLeadsOutIsRefused() {
        assertThatThrownBy(() -> open("../x")).isInstanceOf(IOException.class).hasMessageContaining("'../x'");
    }
}

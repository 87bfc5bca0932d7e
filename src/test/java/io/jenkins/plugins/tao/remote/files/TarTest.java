package io.jenkins.plugins.tao.remote.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our tar streams, against the programs that read and write them. */
class TarTest {
    private static final String LONG = "d".repeat(60) + "/" + "é".repeat(40) + "/a b'\\$x";

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"tar", "busybox tar"})
    void whatWeWriteIsReadByEach(String tar) throws Exception {
        Path stream = directory.resolve("stream.tar");
        try (OutputStream out = Files.newOutputStream(stream)) {
            TarWriter writer = new TarWriter(out);
            writer.file("./empty", 0, false, content -> {});
            writer.file("./" + LONG, 700, true, content -> content.write(new byte[700]));
            writer.link("./link", LONG);
            writer.end();
        }

        sh("mkdir out && " + tar + " -xmof stream.tar -C out");

        assertThat(directory.resolve("out/empty")).isEmptyFile();
        assertThat(directory.resolve("out/" + LONG)).hasSize(700).isExecutable();
        assertThat(Files.readSymbolicLink(directory.resolve("out/link"))).hasToString(LONG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tar", "tar --format=posix", "tar --format=ustar", "busybox tar"})
    void whatEachWritesIsReadByUsInPiecesOfAnySize(String tar) throws Exception {
        Path deep = directory.resolve("in").resolve(LONG);
        Files.createDirectories(deep.getParent());
        Files.writeString(deep, "x".repeat(1300));
        Files.createFile(directory.resolve("in/empty"));
        Files.createSymbolicLink(directory.resolve("in/link"), Path.of("empty"));
        sh("cd in && " + tar
                + " -cf ../stream.tar ./empty ./link \"./$1\"; printf 'a line of the login shell' >>../stream.tar");
        byte[] stream = Files.readAllBytes(directory.resolve("stream.tar"));

        for (int piece : new int[] {1, 511, 512, 4096, stream.length}) {
            Taken taken = new Taken();
            TarReader reader = new TarReader(taken);
            for (int at = 0; at < stream.length; at += piece) {
                reader.write(stream, at, Math.min(piece, stream.length - at));
            }

            assertThat(taken.texts()).isEqualTo(Map.of("./empty", "", "./" + LONG, "x".repeat(1300)));
        }
    }

    /** No test writes so many bytes: the header alone is looked at. */
    @Test
    void sizesThatEightDigitsOfOctalCannotHoldAreReadAsTheyWereWritten() throws Exception {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        assertThatThrownBy(() -> new TarWriter(header).file("./big", 20L << 30, false, content -> {
                    throw new IOException("enough");
                }))
                .hasMessage("enough");
        Taken taken = new Taken();

        new TarReader(taken).write(header.toByteArray());

        assertThat(taken.sizes).isEqualTo(Map.of("./big", 20L << 30));
    }

    @Test
    void whatIsNoArchiveIsSaidToBeNone() {
        assertThatThrownBy(
                        () -> new TarReader(new Taken()).write("x".repeat(600).getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("no tar archive");
    }

    private void sh(String script) throws Exception {
        Assumptions.assumeTrue(
                !script.contains("busybox") || Files.exists(Path.of("/usr/bin/busybox")), "no busybox on this machine");
        Process process = new ProcessBuilder("/bin/sh", "-c", script, "sh", LONG)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private static final class Taken implements TarReader.Files {
        private final Map<String, ByteArrayOutputStream> files = new TreeMap<>();
        private final Map<String, Long> sizes = new TreeMap<>();
        private ByteArrayOutputStream current = new ByteArrayOutputStream();

        @Override
        public void begin(String name, long size) {
            current = new ByteArrayOutputStream();
            files.put(name, current);
            sizes.put(name, size);
        }

        @Override
        public void content(byte[] bytes, int offset, int length) {
            current.write(bytes, offset, length);
        }

        Map<String, String> texts() {
            Map<String, String> texts = new TreeMap<>();
            files.forEach((name, content) -> texts.put(name, content.toString(StandardCharsets.UTF_8)));
            return texts;
        }
    }
}

package io.jenkins.plugins.tao.code;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One file as it is sent: a shell script with plain line ends, all else as it is.
 *
 * @param content of a file that is small enough to be read whole
 * @param repaired whether line ends of Windows were taken out
 * @param pointer whether it stands for a file that Git LFS has not fetched
 */
record SentFile(Path path, Optional<byte[]> content, boolean repaired, boolean pointer) {
    private static final long LARGEST_SCRIPT = 1024 * 1024;
    /** The first line of a pointer, read in git-lfs(1) 3.6, docs/spec.md. */
    private static final String POINTER = "version https://git-lfs.github.com/spec/";

    static SentFile of(String name, Path path) throws IOException {
        if (Files.size(path) > LARGEST_SCRIPT) {
            return new SentFile(path, Optional.empty(), false, false);
        }
        byte[] bytes = Files.readAllBytes(path);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        boolean repaired = (text.startsWith("#!") || name.endsWith(".sh")) && text.contains("\r\n");
        byte[] sent = repaired ? text.replace("\r\n", "\n").getBytes(StandardCharsets.ISO_8859_1) : bytes;
        return new SentFile(path, Optional.of(sent), repaired, text.startsWith(POINTER));
    }

    InputStream open() throws IOException {
        return content.isPresent() ? new ByteArrayInputStream(content.get()) : Files.newInputStream(path);
    }
}

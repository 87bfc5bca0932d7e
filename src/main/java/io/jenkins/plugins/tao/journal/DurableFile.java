package io.jenkins.plugins.tao.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Replaces small files as a whole: a reader, or a crash, finds the old text or the new one, never a part. */
public final class DurableFile {
    private DurableFile() {}

    /** Writes {@code text}, readable by its owner alone; on return it survives a crash. */
    public static void write(Path file, String text) throws IOException {
        Path directory = file.toAbsolutePath().resolveSibling("");
        makeDirectories(directory);
        Path next = Files.createTempFile(directory, ".next", ".tmp"); // made with mode 600
        try {
            try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private static void makeDirectories(Path directory) throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(directory);
        }
    }
}

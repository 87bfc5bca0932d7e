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

    /** Writes {@code text}, readable by its owner alone; on return it survives a crash of the machine. */
    public static void write(Path file, String text) throws IOException {
        replace(file, text, true);
        Path directory = file.toAbsolutePath().resolveSibling("");
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true); // else the new text may lie on the disk without its name
        } catch (IOException e) {
            // Windows opens no directory, and keeps names by itself
            return;
        }
    }

    /**
     * The same for what another file can be asked for: on return it survives the end of this process, and a crash of the machine may
     * cost it. Forcing a file onto the disk takes as long as all else that is done to send a job.
     */
    public static void replace(Path file, String text) throws IOException {
        replace(file, text, false);
    }

    private static void replace(Path file, String text, boolean force) throws IOException {
        Path directory = file.toAbsolutePath().resolveSibling("");
        makeDirectories(directory);
        Path next = Files.createTempFile(directory, ".next", ".tmp"); // made with mode 600
        try {
            try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                if (force) {
                    channel.force(true);
                }
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

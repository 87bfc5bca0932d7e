package io.jenkins.plugins.tao;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary directories in memory, where a machine has room and runs programs there: unit tests make thousands of files, and
 * many of them wait until these are on the disk. Integration tests keep to the usual place, which their rigs see too.
 */
public final class QuickTempDirs implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 2L << 30;
    private static final String PREFIX = "junit-";
    private static final FileAttribute<Set<PosixFilePermission>> PROGRAM =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final boolean memory = isFit();

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        boolean unit = test.getRequiredTestClass().getName().endsWith("Test");
        return memory && unit ? Files.createTempDirectory(MEMORY, PREFIX) : Files.createTempDirectory(PREFIX);
    }

    /** A mount that runs no programs says of every file that it is not executable. */
    private static boolean isFit() {
        try {
            Path probe = Files.createTempFile(MEMORY, PREFIX, "", PROGRAM);
            boolean fit =
                    Files.isExecutable(probe) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM;
            Files.delete(probe);
            return fit;
        } catch (IOException e) {
            return false;
        }
    }
}

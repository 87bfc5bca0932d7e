package io.jenkins.plugins.tao;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A program {@code sleep} for the scripts of jobs, which look about them every second: one second of theirs takes a tenth. */
public final class QuickSleep {
    private static final Path BIN = bin();

    private QuickSleep() {}

    /** What stands before all else on the PATH of such a script. */
    public static String before(String path) {
        return BIN + ":" + path;
    }

    /** Stays when this process ends: a shell that outlives it would else find no program at all, and never pause. */
    private static Path bin() {
        try {
            Path bin = Files.createDirectories(Path.of("target", "quick-sleep").toAbsolutePath());
            Path program = Files.createTempFile(bin, "sleep", ".new");
            Files.writeString(program, "#!/bin/sh\n[ \"$1\" != 1 ] || set -- 0.1\nexec /bin/sleep \"$@\"\n");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(program, bin.resolve("sleep"), StandardCopyOption.ATOMIC_MOVE);
            return bin;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

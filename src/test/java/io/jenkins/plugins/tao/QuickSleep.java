package io.jenkins.plugins.tao;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A program {@code sleep} for the scripts of jobs, which look about them every second: one second of theirs takes a tenth. */
public final class QuickSleep {
    private static final Path BIN = bin();

    private QuickSleep() {}

    /** What stands before all else on the PATH of such a script. */
    public static String before(String path) {
        return BIN + ":" + path;
    }

    private static Path bin() {
        try {
            Path bin = Files.createTempDirectory("quick-sleep");
            Path program = Files.writeString(
                    bin.resolve("sleep"), "#!/bin/sh\n[ \"$1\" != 1 ] || set -- 0.1\nexec /bin/sleep \"$@\"\n");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
            bin.toFile().deleteOnExit(); // in reverse order, so that it is empty then
            program.toFile().deleteOnExit();
            return bin;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

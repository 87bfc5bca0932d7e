package io.jenkins.plugins.tao.remote.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A short program of this machine that prints something, such as a credential. It reads nothing. */
public final class LocalProgram {
    private static final int MOST = 1 << 20;
    private static final long PAUSE_MILLIS = 10;

    private LocalProgram() {}

    /**
     * Runs it to its end.
     *
     * @param program its words, directory and variables
     * @param within after which time it is killed, with all that it started
     * @return what it had printed by its end, at most 1 MiB; a process that it started may still hold its output open
     * @throws IOException if it cannot be started, did not end in time, or ended with another exit code than 0; the message goes on
     *     from the name of the program
     */
    public static String output(ProcessBuilder program, Duration within) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("tao-run", ".err"); // made with mode 600
        try {
            Process process = program.redirectError(errors.toFile()).start();
            process.getOutputStream().close();
            String printed = untilItsEnd(process, within);
            if (process.exitValue() != 0) {
                throw new IOException("ended with exit code " + process.exitValue() + ": " + firstLine(errors));
            }
            return printed;
        } finally {
            Files.deleteIfExists(errors);
        }
    }

    private static String untilItsEnd(Process process, Duration within) throws IOException, InterruptedException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        long deadline = System.nanoTime() + within.toNanos();
        boolean ended = false;
        try (InputStream in = process.getInputStream()) {
            while (!ended && System.nanoTime() < deadline) {
                ended = process.waitFor(in.available() > 0 ? 0 : PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                takeAvailable(in, printed);
            }
        } finally {
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
        if (!ended) {
            throw new IOException("did not end within " + within.toSeconds() + " s");
        }
        return printed.toString(UTF_8);
    }

    /** Never waits for the end of the output: a process that the program started may keep it open for days. */
    private static void takeAvailable(InputStream in, ByteArrayOutputStream printed) throws IOException {
        byte[] bytes = in.readNBytes(in.available());
        printed.write(bytes, 0, Math.min(bytes.length, MOST - printed.size()));
    }

    private static String firstLine(Path file) throws IOException {
        return new String(Files.readAllBytes(file), UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("it printed no error");
    }
}

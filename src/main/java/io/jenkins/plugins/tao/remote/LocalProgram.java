package io.jenkins.plugins.tao.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A short program of this machine that prints something, such as a credential. It reads nothing. */
public final class LocalProgram {
    private static final int MOST = 1 << 20;
    private static final Duration AFTER_END = Duration.ofSeconds(5);

    private LocalProgram() {}

    /**
     * Runs it to its end.
     *
     * @param program its words, directory and variables
     * @param within after which time it is killed, with all that it started
     * @return what it printed, at most 1 MiB
     * @throws IOException if it cannot be started, did not end in time, or ended with another exit code than 0; the message goes on
     *     from the name of the program
     */
    public static String output(ProcessBuilder program, Duration within) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("tao-run", ".err"); // made with mode 600
        try {
            Process process = program.redirectError(errors.toFile()).start();
            process.getOutputStream().close();
            CompletableFuture<String> printed = CompletableFuture.supplyAsync(() -> text(process.getInputStream()));
            end(process, within);
            if (process.exitValue() != 0) {
                throw new IOException("ended with exit code " + process.exitValue() + ": " + firstLine(errors));
            }
            return whole(printed);
        } finally {
            Files.deleteIfExists(errors);
        }
    }

    private static void end(Process process, Duration within) throws IOException, InterruptedException {
        boolean ended = false;
        try {
            ended = process.waitFor(within.toSeconds(), TimeUnit.SECONDS);
        } finally {
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
        if (!ended) {
            throw new IOException("did not end within " + within.toSeconds() + " s");
        }
    }

    /** A program may end and leave its output open to one that it has started. */
    private static String whole(CompletableFuture<String> printed) throws IOException, InterruptedException {
        try {
            return printed.get(AFTER_END.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException("ended, and left its output open to another program", e);
        } catch (ExecutionException e) {
            throw new IOException("printed what cannot be read", e);
        }
    }

    private static String text(InputStream in) {
        try (in) {
            return new String(in.readNBytes(MOST), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String firstLine(Path file) throws IOException {
        return new String(Files.readAllBytes(file), UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("it printed no error");
    }
}

package io.jenkins.plugins.tao.cli.terminal;

import io.jenkins.plugins.tao.file.FileMistake;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.function.Supplier;

/** What a user wrote cannot be used; the message says where, what and what to write instead. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(Sentences.clean(message));
    }

    public UsageException(String message, Throwable cause) {
        super(Sentences.clean(message + reason(cause)), cause);
    }

    /** What Java says of a file that is forbidden is its name alone. */
    private static String reason(Throwable cause) {
        return cause instanceof AccessDeniedException ? " This user may not access it." : "";
    }

    /** Reads a file. */
    @FunctionalInterface
    public interface Reading<T> {
        T read() throws IOException;
    }

    /** Writes a file. */
    @FunctionalInterface
    public interface Writing {
        void write() throws IOException;
    }

    /**
     * What {@code reading} gives.
     *
     * @param what what cannot be done where it fails, as in {@code The runs in /runs cannot be read}
     */
    public static <T> T reading(String what, Reading<T> reading) throws UsageException {
        try {
            return reading.read();
        } catch (IOException e) {
            throw new UsageException(what + ": " + Sentences.why(e) + ".", e);
        }
    }

    /**
     * Writes.
     *
     * @param what what cannot be done where it fails
     * @param remedy what to do then; empty for nothing
     */
    public static void writing(String what, String remedy, Writing writing) throws UsageException {
        try {
            writing.write();
        } catch (IOException e) {
            throw new UsageException((what + ": " + Sentences.why(e) + ". " + remedy).strip(), e);
        }
    }

    /** What {@code reading} makes of a file. */
    public static <T> T of(Supplier<T> reading) throws UsageException {
        try {
            return reading.get();
        } catch (FileMistake e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }
}

package io.jenkins.plugins.tao.cli.input;

import io.jenkins.plugins.tao.cli.terminal.UsageException;
import io.jenkins.plugins.tao.file.Value;
import io.jenkins.plugins.tao.file.ValueReader;
import io.jenkins.plugins.tao.job.text.Sentences;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** YAML of files and options, read into {@link Value}s that know their lines. */
public final class YamlText {
    private YamlText() {}

    /** Reads a file whose top is a mapping; {@code what} names it in messages: {@code job file}. */
    static Value.Keyed read(Path file, String what) throws UsageException {
        return parse(file.toString(), text(file, what));
    }

    /** The text of a file; {@code what} names it in messages. */
    static String text(Path file, String what) throws UsageException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new UsageException("There is no " + what + " " + file + ". Correct the path.", e);
        } catch (IOException e) {
            throw new UsageException("The " + what + " " + file + " cannot be read: " + Sentences.why(e) + ".", e);
        }
    }

    /** Reads {@code text}; messages call it {@code source}. */
    public static Value.Keyed parse(String source, String text) throws UsageException {
        return UsageException.of(() -> ValueReader.parse(source, text));
    }

    /** Reads the value that an option {@code source} gives, a scalar, a list or a mapping. */
    static Value value(String source, String text) throws UsageException {
        try {
            return UsageException.of(() -> ValueReader.value(source, text));
        } catch (UsageException e) {
            throw new UsageException(e.getMessage() + " Put a text into quotes: " + source + "='\"…\"'.", e);
        }
    }
}

package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.journal.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Some hundred bytes of text that survive a crash. */
final class SmallFile {
    private final Path file;

    SmallFile(Path file) {
        this.file = file;
    }

    Optional<String> read() {
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("could not read " + file, e);
        }
    }

    void write(String text) {
        try {
            DurableFile.write(file, text + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("could not write " + file, e);
        }
    }

    void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("could not delete " + file, e);
        }
    }
}

package io.jenkins.plugins.tao.jenkins.run;

import io.jenkins.plugins.tao.journal.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Some hundred bytes of text that survive a crash.
 *
 * @param place asked at each use: the file can be moved
 */
record SmallFile(Supplier<Path> place) {
    SmallFile(Path file) {
        this(() -> file);
    }

    Optional<String> read() {
        Path file = place.get();
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("could not read " + file, e);
        }
    }

    void write(String text) {
        Path file = place.get();
        try {
            DurableFile.write(file, text + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("could not write " + file, e);
        }
    }

    void delete() {
        Path file = place.get();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("could not delete " + file, e);
        }
    }
}

package io.jenkins.plugins.tao.jenkins.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answers of the gates of a build, a line each; the newest answer to a question about one training counts. */
final class GateFile {
    private final Path file;
    private Optional<List<GateAnswer>> known = Optional.empty();

    GateFile(Path file) {
        this.file = file;
    }

    synchronized void add(GateAnswer answer) throws IOException {
        known = Optional.empty();
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, answer.line() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    synchronized List<GateAnswer> read() throws IOException {
        if (known.isEmpty()) {
            Map<List<String>, GateAnswer> newest = new LinkedHashMap<>();
            if (Files.exists(file)) {
                new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                        .lines()
                        .flatMap(line -> GateAnswer.parse(line).stream())
                        .forEach(answer -> newest.put(answer.question(), answer));
            }
            known = Optional.of(List.copyOf(newest.values()));
        }
        return known.get();
    }
}

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
import java.util.function.Supplier;

/** The answers of the gates of a build, a line each; the newest answer to a question counts. */
final class GateFile {
    private final Supplier<Path> place;
    private Optional<List<GateAnswer>> known = Optional.empty();

    /** The file at {@code place}, which is asked at each use: a build moves with its job. */
    GateFile(Supplier<Path> place) {
        this.place = place;
    }

    /**
     * Adds an answer.
     *
     * @param options what its question has that its title does not say; empty for none
     * @return its title, with an addition where another question has it
     */
    synchronized String add(GateAnswer answer, String options) throws IOException {
        GateAnswer named = answer.named(name(answer, options));
        known = Optional.empty();
        Path file = place.get();
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, named.line() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return named.getGate();
    }

    private String name(GateAnswer answer, String options) throws IOException {
        String title = answer.getGate();
        Map<String, GateAnswer> taken = new LinkedHashMap<>();
        for (GateAnswer other : read()) {
            if (other.question().equals(answer.question())) {
                return other.getGate();
            }
            taken.put(other.getGate(), other);
        }
        GateAnswer other = taken.get(title);
        if (other == null) {
            return title;
        }
        boolean same = other.keyPart(GateAnswer.CRITERION).equals(answer.keyPart(GateAnswer.CRITERION));
        String run = answer.keyPart(GateAnswer.RUN);
        String differs = !same ? options : other.keyPart(GateAnswer.RUN).equals(run) ? "" : run;
        String plain = differs.isEmpty() ? title : title + " (" + differs + ")";
        String name = plain;
        for (int number = 2; taken.containsKey(name); number++) {
            name = plain + " (" + number + ")";
        }
        return name;
    }

    synchronized List<GateAnswer> read() throws IOException {
        if (known.isEmpty()) {
            Map<List<String>, GateAnswer> newest = new LinkedHashMap<>();
            Path file = place.get();
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

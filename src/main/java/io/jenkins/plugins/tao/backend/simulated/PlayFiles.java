package io.jenkins.plugins.tao.backend.simulated;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.backend.ArtifactChoice;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Paths;
import io.jenkins.plugins.tao.backend.Stream;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The files that a job is played to have written. */
final class PlayFiles {
    private static final int STEPS = 50;

    private PlayFiles() {}

    /** The name of a checkpoint as TAO 6 and later give it. */
    static String checkpoint(int epoch) {
        return String.format(Locale.ROOT, "model_epoch_%03d_step_%05d.pth", epoch, (epoch + 1) * STEPS);
    }

    /** What lies in the results directory at {@code now}, by path, and its text. */
    static Map<String, String> results(PlayRequest request, List<Play> plays, Instant now) {
        Map<String, String> files = new LinkedHashMap<>();
        String status = statusText(plays, now);
        if (!status.isEmpty()) {
            files.put(request.action() + "/status.json", status);
        }
        for (Play play : plays) {
            for (int epoch : play.epochsDone(now)) {
                files.put(
                        request.action() + "/" + checkpoint(epoch),
                        "simulated weights after epoch " + epoch + ", seed " + request.seed() + "\n");
            }
        }
        return files;
    }

    /** What {@code path} stands for among {@code files}, by path: a file, or a directory and what lies in it. */
    static Optional<Paths.Listing> listing(Map<String, String> files, String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        String file = files.get(path);
        if (file != null) {
            return Optional.of(new Paths.Listing(entry(name, OptionalLong.of(file.length())), List.of(), false));
        }
        String folder = path.isEmpty() ? "" : path + "/";
        Map<String, Paths.Entry> entries = new TreeMap<>();
        files.forEach((known, text) -> {
            if (known.startsWith(folder)) {
                String below = known.substring(folder.length());
                int end = below.indexOf('/');
                String first = end < 0 ? below : below.substring(0, end);
                entries.put(first, entry(first, end < 0 ? OptionalLong.of(text.length()) : OptionalLong.empty()));
            }
        });
        return entries.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Paths.Listing(entry(name, OptionalLong.empty()), List.copyOf(entries.values()), false));
    }

    private static Paths.Entry entry(String name, OptionalLong size) {
        return new Paths.Entry(name, size.isPresent() ? Paths.Kind.FILE : Paths.Kind.DIRECTORY, size);
    }

    /** All attempts write to one file, each after what stands there. */
    static String statusText(List<Play> plays, Instant now) {
        StringBuilder text = new StringBuilder();
        plays.forEach(play -> text.append(play.text(Stream.STATUS, now)));
        return text.toString();
    }

    /** Gives {@code sink} what {@code plan} asks for. */
    static void copy(Map<String, String> logs, Map<String, String> results, ArtifactPlan plan, ArtifactSink sink)
            throws IOException {
        ArtifactChoice choice = new ArtifactChoice(plan, sink);
        Predicate<String> wanted = choice.matching(plan.globs());
        for (Map.Entry<String, String> log : logs.entrySet()) {
            copy("logs/" + log.getKey(), log.getValue(), choice, sink);
        }
        for (Map.Entry<String, String> file : results.entrySet()) {
            if (file.getKey().endsWith("status.json") || wanted.test(file.getKey())) {
                copy("results/" + file.getKey(), file.getValue(), choice, sink);
            }
        }
    }

    private static void copy(String name, String text, ArtifactChoice choice, ArtifactSink sink) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        if (choice.take(name, bytes.length, "the simulated place")) {
            try (ArtifactFile file = sink.open(name)) {
                file.content().write(bytes);
                file.keep();
            }
        }
    }
}

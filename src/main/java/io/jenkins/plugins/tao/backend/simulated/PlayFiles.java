package io.jenkins.plugins.tao.backend.simulated;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jenkins.plugins.tao.backend.ArtifactChoice;
import io.jenkins.plugins.tao.backend.ArtifactFile;
import io.jenkins.plugins.tao.backend.ArtifactPlan;
import io.jenkins.plugins.tao.backend.ArtifactSink;
import io.jenkins.plugins.tao.backend.Stream;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

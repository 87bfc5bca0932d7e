package io.jenkins.plugins.tao.backend.notebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.Diagnosis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What most likely happened to a notebook. Pure. */
final class KaggleDiagnosis {
    private static final int LAST_LINES = 20;

    private KaggleDiagnosis() {}

    static Diagnosis of(Optional<JsonNode> status, Optional<KaggleLog> log, String address) {
        List<String> facts = new ArrayList<>(List.of("notebook: " + address));
        status.ifPresent(node -> facts.add("state: " + KaggleReply.word(node)));
        String failure = status.map(KaggleReply::failure).orElse("");
        if (!failure.isEmpty()) {
            facts.add("failure: " + failure);
        }
        log.ifPresent(text -> facts.addAll(last("stderr: ", text.err())));
        log.ifPresent(text -> facts.addAll(last("stdout: ", text.out())));
        Optional<NotebookEnd> end = log.flatMap(KaggleLog::end);
        if (status.isEmpty()) {
            return new Diagnosis(
                    "The notebook is not there: it was deleted, or belongs to somebody else.", "Submit again.", facts);
        }
        return end.map(last -> of(last, address, facts))
                .orElseGet(() -> withoutEnd(failure, log.isPresent(), address, facts));
    }

    private static Diagnosis of(NotebookEnd end, String address, List<String> facts) {
        String read = "Read the end of its log; the whole run is at " + address + ".";
        return switch (end.word()) {
            case "launch" ->
                new Diagnosis(
                        "The command never started: " + end.text() + ".",
                        "GPUs and internet need an account that is verified by phone, and quota; data must be attached.",
                        facts);
            case "limit", "next" ->
                new Diagnosis(
                        "The session's time was over: " + end.text() + ".",
                        "Set sessions to more, and let the command resume from what lies in {results_dir}.",
                        facts);
            case "fault" -> new Diagnosis("The notebook itself failed: " + end.text() + ".", read, facts);
            default -> new Diagnosis("The command ended with exit code " + end.code() + ".", read, facts);
        };
    }

    private static Diagnosis withoutEnd(String failure, boolean logged, String address, List<String> facts) {
        if (failure.contains("kernel name")) {
            return new Diagnosis(
                    "Kaggle did not accept the notebook: " + failure + ".",
                    "Report this as a fault of tao-run.",
                    facts);
        }
        return new Diagnosis(
                (failure.isEmpty() ? "The notebook ended without its last line" : "Kaggle says: " + failure)
                        + (logged ? "." : ", and there is no log."),
                "Most likely the machine ran out of memory or the session was ended from outside: use less memory, and"
                        + " look at " + address + ".",
                facts);
    }

    private static List<String> last(String prefix, String text) {
        List<String> lines = text.lines().toList();
        return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()).stream()
                .map(line -> prefix + line)
                .toList();
    }
}

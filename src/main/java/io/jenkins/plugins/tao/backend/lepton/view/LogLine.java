package io.jenkins.plugins.tao.backend.lepton.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * A line of the log store.
 *
 * @param at nanoseconds since 1970
 * @param worker the index of the worker that wrote it
 */
public record LogLine(long at, int worker, String text) {
    /** Reads an answer, whose groups come in any order, into the order of writing. */
    public static List<LogLine> read(String job, JsonNode answer, boolean newestFirst) throws Unreadable {
        List<LogLine> lines = new ArrayList<>();
        for (JsonNode group : LeptonList.of(answer.path("data"), "result")) {
            int worker = worker(job, group.path("stream"));
            List<LogLine> own = new ArrayList<>();
            for (JsonNode value : group.path("values")) {
                String at = value.path(0).asText("");
                if (at.matches("\\d{1,19}")) {
                    own.add(new LogLine(
                            Long.parseLong(at), worker, value.path(1).asText("")));
                }
            }
            if (newestFirst) {
                Collections.reverse(own);
            }
            lines.addAll(own);
        }
        lines.sort(Comparator.comparingLong(LogLine::at));
        return lines;
    }

    private static int worker(String job, JsonNode labels) {
        for (JsonNode label : labels) {
            int worker = LeptonReplica.worker(job, label.asText(""));
            if (worker >= 0) {
                return worker;
            }
        }
        return 0;
    }
}

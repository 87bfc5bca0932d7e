package io.jenkins.plugins.tao.history;

import io.jenkins.plugins.tao.gate.PastVerdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What gates said of runs, a line each, beside the records. The newest answer to a question counts. */
public final class Verdicts {
    /** The name of the file. */
    public static final String FILE = "verdicts.jsonl";

    private final JsonLines lines;

    /** Those in {@code folder}; the file is made with the first one. */
    public Verdicts(Path folder) {
        lines = new JsonLines(folder.resolve(FILE));
    }

    /** Adds one. */
    public void add(PastVerdict verdict) throws IOException {
        lines.add(verdict.line());
    }

    /** All of them, the oldest first; lines that cannot be read pass by. */
    public List<PastVerdict> read() throws IOException {
        java.util.Map<List<Object>, PastVerdict> newest = new java.util.LinkedHashMap<>();
        for (String line : lines.read()) {
            PastVerdict.parse(line)
                    .ifPresent(verdict -> newest.put(
                            List.of(verdict.night(), verdict.url(), verdict.runs(), verdict.gate()), verdict));
        }
        return new ArrayList<>(newest.values());
    }
}

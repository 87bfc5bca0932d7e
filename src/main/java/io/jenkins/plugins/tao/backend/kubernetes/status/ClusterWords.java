package io.jenkins.plugins.tao.backend.kubernetes.status;

import io.jenkins.plugins.tao.job.text.WordRow;
import java.util.List;
import java.util.stream.Stream;

/** What is known of the words of kubelets, schedulers, registries and admission: the table {@code cluster-words.txt}. */
final class ClusterWords {
    private static final List<WordRow> ROWS = WordRow.read(ClusterWords.class, "cluster-words.txt");

    private ClusterWords() {}

    /** The rows of a {@code kind}, a regular expression, whose sign stands in {@code message}, in their order. */
    static Stream<WordRow> in(String kind, String message) {
        return ROWS.stream().filter(row -> row.kind().matches(kind) && row.isIn(message));
    }
}

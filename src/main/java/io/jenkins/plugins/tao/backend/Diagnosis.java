package io.jenkins.plugins.tao.backend;

import io.jenkins.plugins.tao.job.text.Sentences;
import java.util.List;

/**
 * What a person would look at after a failure.
 *
 * @param summary one line: what most likely happened; empty when nothing is known
 * @param remedy one line: what to do about it; empty when nothing is known
 * @param facts lines of {@code name: value} that a person understands, in the order of interest
 */
public record Diagnosis(String summary, String remedy, List<String> facts) {
    /** Nothing is known. */
    public static final Diagnosis NONE = new Diagnosis("", "", List.of());

    public Diagnosis {
        summary = Sentences.clean(summary);
        remedy = Sentences.clean(remedy);
        facts = List.copyOf(facts);
    }
}

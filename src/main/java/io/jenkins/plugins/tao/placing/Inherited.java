package io.jenkins.plugins.tao.placing;

import java.util.Map;
import java.util.Optional;

/**
 * What a job takes over from its parent.
 *
 * @param values what its placeholders stand for, by their names
 * @param missing why it cannot be sent, a sentence; empty when it can
 */
public record Inherited(Map<String, String> values, Optional<String> missing) {
    /** Nothing, and nothing is missing. */
    public static final Inherited NOTHING = new Inherited(Map.of(), Optional.empty());

    public Inherited {
        values = Map.copyOf(values);
    }

    /** The job cannot be sent. */
    public static Inherited lacking(String why) {
        return new Inherited(Map.of(), Optional.of(why));
    }
}

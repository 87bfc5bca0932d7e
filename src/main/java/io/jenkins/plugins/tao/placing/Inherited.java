package io.jenkins.plugins.tao.placing;

import java.util.Map;
import java.util.Optional;

/**
 * What a job takes over from its parent.
 *
 * @param values what its placeholders stand for, by their names
 * @param missing why it cannot be sent, a sentence; empty when it can
 * @param unknown why that cannot be told now, a sentence; asked again later
 */
public record Inherited(Map<String, String> values, Optional<String> missing, Optional<String> unknown) {
    /** Nothing, and nothing is missing. */
    public static final Inherited NOTHING = of(Map.of());

    public Inherited {
        values = Map.copyOf(values);
    }

    /** The job cannot be sent. */
    public static Inherited lacking(String why) {
        return new Inherited(Map.of(), Optional.of(why), Optional.empty());
    }

    /** Nothing is known yet: the parent's target does not answer, or not in a way that can be read. */
    public static Inherited unknown(String why) {
        return new Inherited(Map.of(), Optional.empty(), Optional.of(why));
    }

    /** These values. */
    public static Inherited of(Map<String, String> values) {
        return new Inherited(values, Optional.empty(), Optional.empty());
    }
}

package io.jenkins.plugins.tao.bind;

import org.jspecify.annotations.Nullable;

/**
 * A scalar that a file has without quotes: a text, a number or a truth value, as the record asks.
 *
 * @param text as it is written; empty where a key has no value at all
 */
public record Unquoted(String text) {
    /** The number or truth value that it looks like, else the text; null where it is empty. */
    public @Nullable Object value() {
        return FreeValues.scalar(text);
    }

    @Override
    public String toString() {
        return text;
    }
}

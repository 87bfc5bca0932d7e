package io.jenkins.plugins.tao.bind;

/**
 * A scalar that a file has without quotes: a text, a number or a truth value, as the record asks.
 *
 * @param text as it is written; empty where a key has no value at all
 */
public record Unquoted(String text) {
    @Override
    public String toString() {
        return text;
    }
}

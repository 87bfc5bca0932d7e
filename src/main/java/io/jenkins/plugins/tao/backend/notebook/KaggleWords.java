package io.jenkins.plugins.tao.backend.notebook;

import static io.jenkins.plugins.tao.job.Require.require;

import java.time.Duration;
import java.util.List;

/** The form of words that Kaggle takes; each failure names the value that was wrong. */
final class KaggleWords {
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9_.-]*";

    private KaggleWords() {}

    static void accelerator(String word) {
        require(
                word.matches("[A-Za-z][A-Za-z0-9]*"),
                "accelerator '%s' must be a word such as NvidiaTeslaT4 or NvidiaTeslaP100",
                word);
        require(!word.startsWith("Tpu"), "accelerator '%s' is a TPU, and TAO needs CUDA; use NvidiaTeslaT4", word);
    }

    static void session(String field, Duration limit) {
        require(limit.toMinutes() >= 1, "%s must be at least one minute, was %s", field, limit);
    }

    /** {@code owner/name}, as an address on kaggle.com ends. */
    static void reference(String field, String text) {
        require(text.matches(NAME + "/" + NAME), "%s '%s' must be owner/name, as its address ends", field, text);
    }

    static void references(String field, List<String> texts) {
        texts.forEach(text -> reference(field, text));
    }

    static void models(List<String> texts) {
        for (String text : texts) {
            require(
                    text.matches(NAME + "(/" + NAME + "){3}(/\\d+)?"),
                    "models '%s' must be owner/model/framework/variation or …/version",
                    text);
        }
    }

    static void competitions(List<String> texts) {
        texts.forEach(text -> require(text.matches(NAME), "competitions '%s' must be a competition's name", text));
    }

    /** An address that git can clone without asking; a password in it would stay in every version of the notebook. */
    static void git(String url) {
        require(
                url.matches("https://[^\\s@]+"),
                "git '%s' must be an https address without a user or password in it",
                url.replaceAll("//[^@/]*@", "//***@"));
    }

    static void revision(String text) {
        require(text.matches("[A-Za-z0-9][A-Za-z0-9._/-]*"), "revision '%s' must be a tag, branch or commit", text);
    }
}

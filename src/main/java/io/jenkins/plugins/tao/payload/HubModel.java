package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A model on Hugging Face, in a directory of its own for each repository and revision.
 *
 * @param repository {@code org/name}
 * @param revision a branch, tag or commit; {@code main} unless the address says another
 * @param local where it lies in the container; empty before that is known
 */
record HubModel(String repository, String revision, String local) {
    static final String SCHEME = "hf_model://";

    private static final Pattern FORM = Pattern.compile(
            SCHEME + "([A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*)(?:@([A-Za-z0-9][A-Za-z0-9._-]*))?/*");

    private static final String WORD = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";
    private static final Pattern MENTION = Pattern.compile(SCHEME + "(" + WORD + "/" + WORD + ")(?:@(" + WORD + "))?");

    /** Those that a command or spec names, whoever fetches them. */
    static List<HubModel> mentioned(String text) {
        return MENTION.matcher(text)
                .results()
                .map(match -> new HubModel(match.group(1), revision(match.group(2)), ""))
                .distinct()
                .toList();
    }

    private static String revision(@Nullable String given) {
        return given == null ? "main" : given;
    }

    static HubModel parse(String uri) {
        Matcher match = FORM.matcher(uri);
        require(match.matches(), "'%s' is no model; write hf_model://org/name or hf_model://org/name@revision", uri);
        return new HubModel(match.group(1), revision(match.group(2)), "");
    }

    HubModel at(String path) {
        return new HubModel(repository, revision, path);
    }

    HubModel below(String root) {
        return at(root + "/huggingface/" + repository + "@" + revision);
    }

    /** What names it in a text, up to the end of its revision. */
    String pattern() {
        String suffix = revision.equals("main") ? "(?:@main)?(?!@)" : Pattern.quote("@" + revision);
        return Pattern.quote(SCHEME + repository) + suffix;
    }
}

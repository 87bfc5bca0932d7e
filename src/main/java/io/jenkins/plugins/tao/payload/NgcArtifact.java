package io.jenkins.plugins.tao.payload;

import static io.jenkins.plugins.tao.job.Require.require;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of a model or resource in NVIDIA's registry, in a directory of its own. Which of the two it is, the registry knows.
 *
 * @param path {@code org/name} or {@code org/team/name}
 * @param version as the registry has it; never left out, for the newest one changes
 * @param local where it lies in the container; empty before that is known
 */
record NgcArtifact(String path, String version, String local) {
    static final String SCHEME = "ngc://";

    private static final String WORD = "[A-Za-z0-9][A-Za-z0-9._-]*+";
    private static final Pattern FORM =
            Pattern.compile(SCHEME + "(" + WORD + "/(?:" + WORD + "/)?+" + WORD + "):(" + WORD + ")/*+");

    static NgcArtifact parse(String uri) {
        Matcher match = FORM.matcher(uri);
        require(
                match.matches(),
                "'%s' is nothing of NVIDIA's registry; write ngc://org/team/name:version or ngc://org/name:version",
                uri);
        return new NgcArtifact(match.group(1), match.group(2), "");
    }

    NgcArtifact at(String place) {
        return new NgcArtifact(path, version, place);
    }

    NgcArtifact below(String root) {
        return at(root + "/ngc/" + path + "@" + version);
    }

    /** What names it in a text. */
    String pattern() {
        return Pattern.quote(address()) + "(?![A-Za-z0-9_-]|[.][A-Za-z0-9])";
    }

    String address() {
        return SCHEME + path + ":" + version;
    }

    /** What the registry calls the kind {@code models} or {@code resources} of it, with its version. */
    String resource(String kind) {
        String[] words = path.split("/", -1);
        boolean team = words.length > 2 && !words[1].equals("no-team");
        return "v2/org/" + words[0] + (team ? "/team/" + words[1] : "") + "/" + kind + "/" + words[words.length - 1]
                + "/versions/" + version;
    }
}

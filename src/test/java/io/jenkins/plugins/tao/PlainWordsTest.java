package io.jenkins.plugins.tao;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Messages, log lines and the help of the command line are in plain words: literals of the program, quoted texts of its scripts. */
class PlainWordsTest {
    private static final Map<Pattern, String> PLAIN = plain();

    /** Names that are saved, documented or read, in their whole literal. */
    private static final Set<String> ALLOWED = Set.of(
            "night", // a key of verdicts and tables
            "told", // a variable of checkpoints.sh
            "play", // a saved file of the simulator
            ".play",
            "tell", // a value of onStall
            "What to do with a stalled job: tell, cancel or retry (default: ${DEFAULT-VALUE}).",
            "median of (\\\\d{1,3})( nights?| runs?)?"); // what a gate has been saved as

    private static final Pattern JAVA = Pattern.compile(
            "\"\"\"\\n(.*?)\"\"\"|\"([^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+)\"|//[^\\n]*|/\\*.*?\\*/|'(?:[^'\\\\\\n]|\\\\.)+'",
            Pattern.DOTALL);

    /** A text in a line that is no comment. */
    private static final Pattern SHELL = Pattern.compile("(?m)^ *#.*$|\"([^\"\\n]* [^\"\\n]*)\"");

    private static final Pattern PLUS = Pattern.compile("\\s*\\+\\s*");

    private static Map<Pattern, String> plain() {
        Map<Pattern, String> words = new LinkedHashMap<>();
        for (String row : """
                told, tells?: reported, logged, shown
                mend(s|ed|ing)?: fix
                anew: again
                nights?, tonight: run, build
                nobody: nothing, no user
                whoever, a person, people: user, administrator
                goes on, go on: continues
                takes? (it |them )?up: resume, watch again
                (at|brought|brings?|comes?|came|goes) home, bring \\S+ home: fetched
                by itself: automatically
                of its own: its own, separate
                is none, there is none of: is not, none of these
                unless said: default
                but for: except
                pass(es)? by: ignore, skip
                plays?, played: simulate
                whatever: any
                on (its|the) way: in transit, in progress
                under way: in progress
                hopeless: stopped early
                no word (since|for|of): no response
                last word: last response, last status
                """.lines().toList()) {
            String[] columns = row.split(": ", 2);
            words.put(Pattern.compile("(?i)(?<![$\\w])(" + columns[0].replace(", ", "|") + ")\\b(?!=)"), columns[1]);
        }
        return words;
    }

    private static List<Path> files(String folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    /** The texts of a source; literals that are joined by a plus are one. */
    private static List<String> literals(String source) {
        List<String> texts = new ArrayList<>();
        int end = -1;
        for (Matcher token = JAVA.matcher(source); token.find(); ) {
            String text = token.group(1) != null ? token.group(1).replaceAll("\\\\\\n\\s*", "") : token.group(2);
            if (text == null) {
                continue;
            }
            boolean joined = end >= 0
                    && PLUS.matcher(source.substring(end, token.start())).matches();
            texts.add(joined ? texts.remove(texts.size() - 1) + text : text);
            end = token.end();
        }
        return texts;
    }

    private static List<String> quoted(String script) {
        return SHELL.matcher(script)
                .results()
                .filter(found -> found.group(1) != null)
                .map(found -> found.group(1))
                .toList();
    }

    /** What to write instead, for each private word of a text. */
    private static List<String> faults(String text) {
        List<String> faults = new ArrayList<>();
        if (!ALLOWED.contains(text)) {
            PLAIN.forEach((word, plain) -> word.matcher(text.replaceAll("\\s+", " "))
                    .results()
                    .forEach(found -> faults.add("'" + found.group() + "' (write: " + plain + ") in: " + text)));
        }
        return faults;
    }

    @Test
    void literalsOfTheProgramAreInPlainWords() throws IOException {
        List<String> faults = new ArrayList<>();
        for (Path file : files("src/main/java", ".java")) {
            literals(Files.readString(file))
                    .forEach(text -> faults(text).forEach(fault -> faults.add(file.getFileName() + ": " + fault)));
        }

        assertThat(faults).isEmpty();
    }

    @Test
    void textsOfScriptsAreInPlainWords() throws IOException {
        List<String> faults = new ArrayList<>();
        for (Path file : files("src/main/resources", ".sh")) {
            quoted(Files.readString(file))
                    .forEach(text -> faults(text).forEach(fault -> faults.add(file.getFileName() + ": " + fault)));
        }

        assertThat(faults).isEmpty();
    }

    @Test
    void aPrivateWordIsFoundAcrossLiteralsAndTheFailureNamesThePlainOne() {
        String source = """
                // nobody reads "this anew"
                say("The job goes"
                        + " on.", 'x', "night", "HOME");
                """;

        assertThat(literals(source)).containsExactly("The job goes on.", "night", "HOME");
        assertThat(literals(source).stream().flatMap(text -> faults(text).stream()))
                .containsExactly("'goes on' (write: continues) in: The job goes on.");
    }

    @Test
    void aTextOfAScriptIsFoundAndItsVariablesAndCommentsAreNot() {
        String script = """
                # "written anew by nobody"
                echo "tao: it starts anew" >&2
                fail stage "cannot write: $told"
                """;

        assertThat(quoted(script)).containsExactly("tao: it starts anew", "cannot write: $told");
        assertThat(quoted(script).stream().flatMap(text -> faults(text).stream()))
                .containsExactly("'anew' (write: again) in: tao: it starts anew");
    }
}

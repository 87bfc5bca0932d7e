package io.jenkins.plugins.tao.code;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The rules of one ignore file at the top of a tree, as Git reads them.
 *
 * @see <a href="https://git-scm.com/docs/gitignore">gitignore(5), "Pattern format"</a>, read for Git 2.39
 */
final class IgnoreRules {
    private final List<Rule> rules = new ArrayList<>();

    /** One line; the last rule that matches decides. */
    private record Rule(Pattern path, boolean directories, boolean keeps) {}

    private IgnoreRules() {}

    static IgnoreRules parse(String text) {
        IgnoreRules all = new IgnoreRules();
        text.lines().forEach(all::add);
        return all;
    }

    private void add(String line) {
        String rule = withoutBlanks(line);
        if (rule.isEmpty() || rule.startsWith("#")) {
            return;
        }
        boolean keeps = rule.startsWith("!");
        String body = keeps ? rule.substring(1) : rule;
        boolean directories = body.endsWith("/");
        String plain = directories ? body.substring(0, body.length() - 1) : body;
        if (!plain.isEmpty()) {
            rules.add(new Rule(Pattern.compile(expression(plain), Pattern.DOTALL), directories, keeps));
        }
    }

    /** Blanks at the end count only behind a backslash. */
    private static String withoutBlanks(String line) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == ' ' && !escaped(line, end - 1)) {
            end--;
        }
        return line.substring(0, end);
    }

    private static boolean escaped(String text, int at) {
        int count = 0;
        while (at - count > 0 && text.charAt(at - count - 1) == '\\') {
            count++;
        }
        return count % 2 != 0;
    }

    /** Whether the file {@code path}, or a directory that it lies in, is left out. */
    boolean ignores(String path) {
        int slash = path.indexOf('/');
        while (slash > 0) {
            if (decided(path.substring(0, slash), true)) {
                return true;
            }
            slash = path.indexOf('/', slash + 1);
        }
        return decided(path, false);
    }

    private boolean decided(String path, boolean directory) {
        boolean ignored = false;
        for (Rule rule : rules) {
            if ((directory || !rule.directories()) && rule.path().matcher(path).matches()) {
                ignored = !rule.keeps();
            }
        }
        return ignored;
    }

    /** A slash at the beginning or in the middle ties a pattern to the top. */
    private static String expression(String pattern) {
        boolean tied = pattern.indexOf('/') >= 0;
        String body = pattern.startsWith("/") ? pattern.substring(1) : pattern;
        StringBuilder text = new StringBuilder(tied ? "" : "(?:.*/)?");
        int at = 0;
        while (at < body.length()) {
            at = part(body, at, text);
        }
        return text.toString();
    }

    private static int part(String body, int at, StringBuilder text) {
        if (body.startsWith("**/", at) && begins(body, at)) {
            text.append("(?:.*/)?");
            return at + 3;
        }
        if (body.startsWith("/**", at) && at + 3 == body.length()) {
            text.append("/.+");
            return at + 3;
        }
        char letter = body.charAt(at);
        switch (letter) {
            case '*' -> text.append("[^/]*");
            case '?' -> text.append("[^/]");
            case '[' -> {
                return set(body, at, text);
            }
            case '\\' -> {
                boolean last = at + 1 == body.length();
                text.append(last ? "(?!)" : Pattern.quote(body.substring(at + 1, at + 2)));
                return at + 2;
            }
            default -> text.append(Pattern.quote(String.valueOf(letter)));
        }
        return at + 1;
    }

    private static boolean begins(String body, int at) {
        return at == 0 || body.charAt(at - 1) == '/';
    }

    /** A set of letters such as {@code [a-z]} or {@code [!0-9]}; one without an end matches nothing, as in Git. */
    private static int set(String body, int at, StringBuilder text) {
        int from = at + 1;
        boolean not = from < body.length() && "!^".indexOf(body.charAt(from)) >= 0;
        int first = not ? from + 1 : from;
        int end = body.indexOf(']', Math.min(body.length(), first + 1));
        if (end < 0) {
            text.append("(?!)");
            return body.length();
        }
        text.append("(?!/)[").append(not ? "^" : "");
        for (char letter : body.substring(first, end).toCharArray()) {
            text.append("[]&^\\".indexOf(letter) >= 0 ? "\\" : "").append(letter);
        }
        text.append(']');
        return end + 1;
    }
}

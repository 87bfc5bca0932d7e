package io.jenkins.plugins.tao.spec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where what has an address lies on the machines of a job, to put the path in place of the address. Immutable. */
public final class Addresses {
    /** None: every text stays. */
    public static final Addresses NONE = new Addresses(List.of());

    /** What ends a word in a shell, in YAML, or in a list of paths. */
    private static final String END = "[\\s\"'`;,|&()<>\\]}]";

    private static final Pattern ENDED = Pattern.compile(END);

    private final List<Entry> entries;

    private Addresses(List<Entry> entries) {
        this.entries = entries;
    }

    /**
     * One address.
     *
     * @param length how specific it is: the longer one wins where two fit
     */
    private record Entry(Pattern address, int length, String path) {}

    /** The same and {@code address}, which lies at {@code path}. */
    public Addresses with(String address, String path) {
        String bare = address.replaceAll("/+$", "");
        return with(Pattern.quote(bare), bare.length(), path);
    }

    /**
     * The same and all addresses that the regular expression {@code form} matches, which lie at {@code path}.
     *
     * @param length how specific they are: the longer one wins where two fit
     */
    public Addresses with(String form, int length, String path) {
        List<Entry> more = new ArrayList<>(entries);
        more.add(new Entry(Pattern.compile("\\b" + form + "(?:/+(?=([^/])?)|(?=$|" + END + "))"), length, path));
        more.sort(Comparator.comparingInt(Entry::length).reversed());
        return new Addresses(List.copyOf(more));
    }

    /** Puts paths in place of addresses and of what lies below them; an address that only begins alike stays. */
    public String rewrite(String text) {
        if (!text.contains("://")) {
            return text;
        }
        String rewritten = text;
        for (Entry entry : entries) {
            rewritten = entry.address()
                    .matcher(rewritten)
                    .replaceAll(found ->
                            Matcher.quoteReplacement(continues(found.group(1)) ? entry.path() + "/" : entry.path()));
        }
        return rewritten;
    }

    private static boolean continues(@Nullable String next) {
        return next != null && !ENDED.matcher(next).matches();
    }
}

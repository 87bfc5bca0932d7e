package io.jenkins.plugins.tao.job.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Advice for a name that is not known: which one was meant, and which ones there are. */
public final class Suggestions {
    private static final int LETTERS_PER_SLIP = 3;
    private static final int SHORT = 5;

    private Suggestions() {}

    /**
     * Checks the keys of {@code what}.
     *
     * @throws IllegalArgumentException for one that is not known: {@code a gate has no key 'atleast'. Did you mean 'atLeast'? …}
     */
    public static void check(String what, Collection<String> keys, Collection<String> known) {
        for (String key : keys) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(what + " has no key '" + key + "'. "
                        + advice(key, known.stream().sorted().toList(), "keys"));
            }
        }
    }

    /** {@code Did you mean 'gpus'? Known keys: command, gpus.} */
    public static String advice(String wrong, Collection<String> known, String whatTheyAre) {
        return meant(wrong, known) + "Known " + whatTheyAre + ": " + String.join(", ", known) + ".";
    }

    /** {@code Did you mean 'gpus'? } with the blank; empty where no known name is near. */
    public static String meant(String wrong, Collection<String> known) {
        return nearest(wrong, known)
                .map(near -> "Did you mean '" + near + "'? ")
                .orElse("");
    }

    /** The known name with the smallest edit distance, when that is small enough for a slip; else the only one that begins so. */
    private static Optional<String> nearest(String wrong, Collection<String> known) {
        LevenshteinDistance distance =
                new LevenshteinDistance(Math.max(2, wrong.length() / LETTERS_PER_SLIP)); // above it: -1
        String plain = plain(wrong);
        List<String> longer = known.stream()
                .filter(name ->
                        plain.length() >= LETTERS_PER_SLIP && plain(name).startsWith(plain))
                .toList();
        return known.stream()
                .filter(name -> distance.apply(plain, plain(name)) >= 0)
                .min(Comparator.comparingInt(name -> distance.apply(plain, plain(name))))
                .or(() -> longer.stream().findFirst().filter(only -> longer.size() == 1));
    }

    /**
     * The known name that differs from {@code wrong} by as little as a slip of the hand: short names by one letter or by two
     * swapped ones, long names by two.
     */
    public static Optional<String> slip(String wrong, Collection<String> known) {
        String plain = plain(wrong);
        LevenshteinDistance distance = new LevenshteinDistance(2);
        return known.stream()
                .filter(name -> digits(name).equals(digits(wrong)) && isSlip(plain, plain(name)))
                .min(Comparator.comparingInt(name -> distance.apply(plain, plain(name))));
    }

    private static boolean isSlip(String wrong, String right) {
        int most = wrong.length() <= 2
                ? 0
                : wrong.length() < SHORT && !letters(wrong).equals(letters(right)) ? 1 : 2;
        return new LevenshteinDistance(most).apply(wrong, right) >= 0;
    }

    private static List<Integer> letters(String name) {
        return name.chars().sorted().boxed().toList();
    }

    /** {@code stage1} and {@code stage2} are two names and no slip. */
    private static String digits(String name) {
        return name.replaceAll("\\D", "");
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}

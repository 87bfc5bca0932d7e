package io.jenkins.plugins.tao.cli;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Words for a name that is not known: which one was meant, and which ones there are. */
final class Keys {
    private Keys() {}

    /** {@code Did you mean 'gpus'? Known keys: command, gpus.} */
    static String advice(String wrong, Collection<String> known, String whatTheyAre) {
        String list = "Known " + whatTheyAre + ": " + String.join(", ", known) + ".";
        return nearest(wrong, known)
                .map(near -> "Did you mean '" + near + "'? " + list)
                .orElse(list);
    }

    /** The known name with the fewest slips of the pen, when these are few enough to be slips. */
    static Optional<String> nearest(String wrong, Collection<String> known) {
        int tolerated = Math.max(2, wrong.length() / 3);
        String plain = plain(wrong);
        return known.stream()
                .filter(name -> distance(plain, plain(name)) <= tolerated)
                .min(Comparator.comparingInt(name -> distance(plain, plain(name))));
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** Levenshtein distance: letters to insert, delete or replace. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}

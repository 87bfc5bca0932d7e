package io.jenkins.plugins.tao.tracking;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Names as MLflow takes them: letters, digits, {@code _-./} and blanks, 250 of them, and no path that could be written shorter. Two that
 * would become one get a number.
 */
final class MlflowNames {
    private static final int LONGEST = 240;

    private final Map<String, String> known = new HashMap<>();
    private final Set<String> taken;

    MlflowNames(Collection<String> taken) {
        this.taken = new HashSet<>(taken);
    }

    String of(String name) {
        return known.computeIfAbsent(name, this::made);
    }

    private String made(String name) {
        String plain = name.replaceAll("[^/A-Za-z0-9_.\\- ]", "_")
                .replaceAll("/(?=/)|(?<=/)\\.{1,2}(?=/|$)|^\\.{1,2}(?=/|$)|^/+|/+$", "_");
        String fitting = plain.substring(0, Math.min(LONGEST, plain.length())).replaceAll("/$", "_");
        String free = fitting.isEmpty() ? "_" : fitting;
        for (int i = 2; !taken.add(free); i++) {
            free = fitting + "_" + i;
        }
        return free;
    }
}

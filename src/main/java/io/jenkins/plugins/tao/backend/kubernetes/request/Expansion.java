package io.jenkins.plugins.tao.backend.kubernetes.request;

import java.util.regex.Pattern;

/** The kubelet replaces {@code $(NAME)} and {@code $$} in commands and values; this keeps it from that. Pure. */
final class Expansion {
    private static final Pattern MEANT = Pattern.compile("\\$(?=[$(])");

    private Expansion() {}

    /** A text that the kubelet turns into {@code text}. */
    static String guard(String text) {
        return MEANT.matcher(text).replaceAll("\\$\\$");
    }
}

package io.jenkins.plugins.tao;

/** What bash 5.2 says of itself, now and then, in the log of a program that it runs. */
public final class BashWords {
    private BashWords() {}

    /** The text without the lines in which bash lost a child that had ended: no program wrote them. */
    public static String without(String log) {
        return log.replaceAll("(?m)^.*: wait_for: No record of process \\d+\\n", "");
    }
}

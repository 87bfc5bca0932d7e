package io.jenkins.plugins.tao.backend.slurm.rest;

import io.jenkins.plugins.tao.backend.BackendException.Unreadable;
import java.util.Optional;

/**
 * What the files' host hands out for a submission when all is staged.
 *
 * @param path where programs of the cluster are found
 * @param array the members to send; empty for what the script says
 * @param directory where the job starts
 * @param script the staged script
 */
record RestOrder(int attempt, String path, Optional<String> array, String directory, String script) {
    private static final String SCRIPT = "\ntao-script 0\n";

    /** Reads what {@code rest.sh} tells behind {@code ask submit}. */
    static RestOrder parse(int attempt, String directory, String reply) throws Unreadable {
        int at = reply.indexOf(SCRIPT);
        String script = at < 0 ? "" : reply.substring(at + SCRIPT.length());
        if (!script.startsWith("#!")) {
            throw new Unreadable("The staged script did not come back whole", reply, "It is asked for again.");
        }
        return new RestOrder(
                attempt,
                line(reply, "tao-path ").orElse("/usr/local/bin:/usr/bin:/bin"),
                line(reply, "tao-array "),
                directory,
                script);
    }

    private static Optional<String> line(String reply, String head) {
        return reply.lines()
                .filter(line -> line.startsWith(head))
                .map(line -> line.substring(head.length()).strip())
                .filter(text -> !text.isEmpty())
                .findFirst();
    }
}

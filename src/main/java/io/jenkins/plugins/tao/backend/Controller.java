package io.jenkins.plugins.tao.backend;

import static io.jenkins.plugins.tao.job.Require.require;

/**
 * Who asks: one Jenkins, or one user's command line. Jobs on shared storage are held by one controller at a time.
 *
 * @param id the same after every restart, and another for every other controller; empty for nobody, who holds nothing
 * @param words what a person calls it, such as {@code Jenkins https://ci.example.com/}
 * @param session another for every process of this controller, where only one may be at work; empty where several may
 */
public record Controller(String id, String words, String session) {
    /** Holds nothing, and leaves alone what others hold. */
    public static final Controller NONE = new Controller("", "", "");

    private static final int WORDS = 200;

    public Controller {
        require(id.matches("([a-z0-9][a-z0-9-]{3,62})?"), "a controller's id must be a-z, 0-9 and -, was '%s'", id);
        require(session.matches("[a-z0-9-]{0,62}"), "a controller's session must be a-z, 0-9 and -, was '%s'", session);
        words = words.replaceAll("[\\p{Cntrl}]+", " ").strip();
        words = words.substring(0, Math.min(WORDS, words.length()));
    }
}

package io.jenkins.plugins.tao.cli.terminal;

import io.jenkins.plugins.tao.backend.BackendTypes;
import io.jenkins.plugins.tao.history.Ledger;
import io.jenkins.plugins.tao.monitor.Ticker;
import io.jenkins.plugins.tao.nodes.AvoidedNodes;
import io.jenkins.plugins.tao.placing.Turns;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * What lies around the program: where it stands and where it speaks.
 *
 * @param env the environment variables
 * @param directory where relative paths begin
 * @param home the user's home, for {@code ~}
 * @param terminal where a person may sit
 * @param clock the time
 * @param types the kinds of backend
 * @param ticker makes the owner of the pauses between two looks
 */
public record Surroundings(
        Map<String, String> env,
        Path directory,
        Path home,
        Terminal terminal,
        Clock clock,
        BackendTypes types,
        Supplier<Ticker> ticker) {

    private static final int WIDTH = 100;

    /** The path that {@code text} means here: {@code ~} is the home, relative ones begin at {@link #directory}. */
    public Path path(String text) {
        if (text.equals("~") || text.startsWith("~/")) {
            return home.resolve(text.substring(Math.min(2, text.length()))).normalize();
        }
        return directory.resolve(text).normalize();
    }

    /** The same from another directory. */
    public Surroundings in(Path other) {
        return new Surroundings(env, other, home, terminal, clock, types, ticker);
    }

    /** The same with other kinds of backend. */
    public Surroundings with(BackendTypes others) {
        return new Surroundings(env, directory, home, terminal, clock, others, ticker);
    }

    /** Where the local records of jobs lie. */
    public Path stateDirectory() {
        String state = env.getOrDefault("XDG_STATE_HOME", "");
        return (state.isBlank() ? home.resolve(".local/state") : path(state)).resolve("tao-run");
    }

    /** The runs of all jobs of this user. */
    public Ledger ledger() {
        return new Ledger(stateDirectory().resolve("ledger"));
    }

    /** The turns of this user's jobs on targets with limits. */
    public Turns turns() {
        return new Turns(stateDirectory().resolve("turns"));
    }

    /** The nodes that jobs of this user avoid. */
    public AvoidedNodes avoidedNodes() {
        return new AvoidedNodes(stateDirectory().resolve("nodes"));
    }

    /** Whether to use colours: never when NO_COLOR is set. */
    public boolean colours() {
        return terminal.live() && env.getOrDefault("NO_COLOR", "").isEmpty();
    }

    /** The text in a colour, such as {@code red}, where colours are used. */
    public String coloured(String colour, String text) {
        return colours() ? CommandLine.Help.Ansi.ON.string("@|" + colour + " " + text + "|@") : text;
    }

    /** The time. */
    public Instant now() {
        return clock.instant();
    }

    public PrintStream out() {
        return terminal.out();
    }

    public PrintStream err() {
        return terminal.err();
    }

    /** How many letters fit on a line. */
    public int width() {
        String columns = env.getOrDefault("COLUMNS", "");
        return columns.matches("[1-9]\\d{1,3}") ? Integer.parseInt(columns) : WIDTH;
    }

    /**
     * The three streams.
     *
     * @param live whether a person sits there and a line can be redrawn
     */
    public record Terminal(boolean live, InputStream in, PrintStream out, PrintStream err) {}
}
